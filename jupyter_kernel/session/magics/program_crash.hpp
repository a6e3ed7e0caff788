// Why a program of %%run crashed: reads what include/xcpp/run.hpp has recorded.
#pragma once

#include "magics_run.hpp"

#include <map>
#include <string>

namespace xcpp_session {

// ok if no process of the program crashed. Else the error names ranks, signal or exception, and the
// line. folder: XCPP_RUN_FOLDER; program: its file; sources: the texts of cells by their numbers.
MagicOutcome describe_crashes(const std::string& folder, const std::string& program,
                              const std::map<int, std::string>& sources);

// SIGKILL leaves a program no time to record anything: then mpirun and srun say which rank it was.
// last_words: the end of their standard error. ok if they name no rank that a signal has ended.
MagicOutcome describe_killed_rank(const std::string& last_words);

// In a job of SLURM, mpirun starts no more ranks than the job has. ok if it does not say so.
MagicOutcome describe_missing_slots(const std::string& last_words);

}  // namespace xcpp_session
