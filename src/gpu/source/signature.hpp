// The parameter list of a __global__ function, parsed from the program's text, because neither
// NVRTC nor the driver reports names and types.
#pragma once

#include "lanes/gpu/launch.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu {

struct Parameter {
    std::string type;            // as written, without const and __restrict__: "float", "T", "int2"
    std::string name;            // "" if the text gives none
    bool pointer = false;        // T*
    bool pointee_const = false;  // const T*: the CUDA kernel only reads it
    // Of the scalar or the pointee; Kind::other if the type is defined by the program or is a
    // template parameter.
    TypeTag tag;
    bool reference = false;   // T&: CUDA does not allow it
    bool pack = false;        // Ts... values
    std::string declaration;  // the whole text, for messages: "const float* x"
};

struct Signature {
    std::string name;  // without namespace and template arguments
    std::vector<Parameter> parameters;
    std::string scope;  // "outer::inner"; "" at namespace scope
    bool extern_c = false;
    bool is_template = false;
    std::vector<std::string> template_parameters;  // names, to be replaced by arguments
    std::vector<std::string> template_defaults;    // one per parameter; "" if it has none
    int line = 0;                                  // of the definition, from 1
    // The text's own names of types: `using Real = float;`.
    std::map<std::string, std::string> aliases;

    std::string qualified_name() const { return scope.empty() ? name : scope + "::" + name; }
};

// A __constant__ or __device__ variable at namespace scope.
struct Variable {
    std::string type, name, scope;
    TypeTag tag;  // of an element
    bool constant = false;
    int line = 0;

    std::string qualified_name() const { return scope.empty() ? name : scope + "::" + name; }
};

struct Declarations {
    std::vector<Signature> signatures;
    std::vector<Variable> variables;
};

// flags: of the program, for -D and -I. Macros, conditionals and included files are processed.
Declarations read_declarations(const std::string& text, const std::vector<std::string>& flags = {});

// Every __global__ function that the text defines, in order.
std::vector<Signature> read_signatures(const std::string& text,
                                       const std::vector<std::string>& flags = {});

// The signature that a name expression means, with template arguments inserted ("tile<float, 16>":
// T becomes float). Empty if the text has none of that name.
std::optional<Signature> find_signature(const std::vector<Signature>& signatures,
                                        const std::string& name_expression);

}  // namespace lanes::gpu
