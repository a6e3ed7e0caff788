// What an answer may use: needs.txt in the folder of its exercise. exercises/README.md explains
// the form of these files.
#pragma once

#include "notebook/exercise/text.hpp"

#include <map>
#include <string>

namespace lanes::exercises {

// The text with the names that the answer may and may not use, from exercises/FOLDER/needs.txt.
notebook::ExerciseText with_needs(const std::string& folder, notebook::ExerciseText text);

// The same of any text in the form of needs.txt; an unknown word or list throws lanes::Error.
void add_needs(notebook::ExerciseText& text, const std::string& needs, const std::string& file);

// All needs.txt, by folder, and the lists in common/, by file name. exercises/generate writes this
// function when the build is configured.
const std::map<std::string, std::string>& needs_files();

}  // namespace lanes::exercises
