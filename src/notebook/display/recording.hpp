// Tables that were recorded on a machine with a GPU: data/recorded/LESSON.json, one object per
// table. tools/record writes them, lessons show them beside the student's own run.
#pragma once

#include <string>
#include <vector>

namespace lanes::notebook {

// Throws Error unless it has the form LESSON/TABLE.
void require_recording_name(const std::string& operation, const std::string& name);

// Adds the table to FOLDER/LESSON.json, with the machine, its driver and today's date; replaces one
// of the same name.
void record(const std::string& folder, const std::string& name,
            const std::vector<std::string>& columns,
            const std::vector<std::vector<std::string>>& rows);

}  // namespace lanes::notebook
