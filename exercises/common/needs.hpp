// What an answer may use: needs.txt in the folder of its exercise. exercises/README.md explains
// the form of these files.
#pragma once

#include "notebook/exercise/text.hpp"

#include <map>
#include <string>
#include <utility>

namespace lanes::exercises {

// The text with the names that the answer may and may not use, from exercises/FOLDER/needs.txt.
notebook::ExerciseText with_needs(const std::string& folder, notebook::ExerciseText text);

// The same, made once per class of exercise. The name is that of the folder, as a rule, and the
// first line that of LANES_EXERCISE.
template <class Type>
const notebook::ExerciseText& text_of(const std::string& folder, notebook::ExerciseText words) {
    static const notebook::ExerciseText text = with_needs(folder, std::move(words));
    return text;
}
template <class Type>
const notebook::ExerciseText& text_of(const std::string& folder, const std::string& task,
                                      const std::string& size_hint, const std::string& hint) {
    return text_of<Type>(folder, {folder, Type::first_line, task, size_hint, hint});
}

// The names of any text in the form of needs.txt. An unknown word or list throws lanes::Error with
// `file` and the line.
void add_needs(notebook::ExerciseText& text, const std::string& needs, const std::string& file);

// All needs.txt, by folder, and the lists in common/, by file name. exercises/generate writes this
// function when the build is configured.
const std::map<std::string, std::string>& needs_files();

}  // namespace lanes::exercises
