// A CUDA program has code for the host and code for the device in one text. Each side is compiled
// by itself: this takes the text apart.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu::whole_program {

// Where a line of a device text comes from.
struct SourcePlace {
    std::string file;
    int line = 0;  // from 1; 0 if the line is in no file
};

struct DeviceText {
    std::string text;
    std::vector<SourcePlace> lines;  // one per line of the text
    bool has_cuda_kernels = false;
};

// text: preprocessed for the host. The bodies of functions that only the device has are emptied.
// Line numbers do not change.
std::string host_text(const std::string& text);

// text: preprocessed for the device; main_file: as the text's line markers name it. Keeps what the
// device needs: functions and variables of the device, and the types, constants and aliases that
// these mention. Lines of the main file keep their numbers unless what was included before takes
// more lines. also: words whose types are kept, too, such as the arguments of templates.
DeviceText device_text(const std::string& text, const std::string& main_file,
                       const std::vector<std::string>& also = {});

// A simulator's or a compiler's message about a device text, in which every line number is replaced
// by the place that the line comes from, and every line shown by that file's own. name: of the
// device text in the message.
std::string with_source_places(const std::string& message, const std::string& name,
                               const std::vector<SourcePlace>& lines);

// A message to a user of this library, for the author of a CUDA program: it speaks of cudaMalloc
// instead of a Buffer.
std::string in_cuda_words(std::string message);

}  // namespace lanes::gpu::whole_program
