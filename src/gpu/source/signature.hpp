// The parameter list of a __global__ function, read from the program's text: by us, because neither
// NVRTC nor the driver tells names and types.
#pragma once

#include "lanes/gpu/launch.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu {

struct Parameter {
    std::string type;            // as written, without const and __restrict__: "float", "T", "int2"
    std::string name;            // "" where the text gives none
    bool pointer = false;        // T*
    bool pointee_const = false;  // const T*: the CUDA kernel only reads it
    TypeTag tag;  // of the scalar or the pointee; Kind::other where the type is the program's own
                  // or a template's
    bool reference = false;   // T&: CUDA does not allow it
    bool pack = false;        // Ts... values
    std::string declaration;  // all of it, for messages: "const float* x"
};

struct Signature {
    std::string name;  // without namespace and template arguments
    std::vector<Parameter> parameters;
    std::string scope;  // "outer::inner", "" at the top
    bool extern_c = false;
    bool is_template = false;
    std::vector<std::string> template_parameters;  // names, to put arguments in their place
    std::vector<std::string> template_defaults;    // as many; "" where there is none
    int line = 0;                                  // of the definition, from 1
    std::map<std::string, std::string>
        aliases;  // the text's own names of types: `using Real = float;`

    std::string qualified_name() const { return scope.empty() ? name : scope + "::" + name; }
};

// A __constant__ or __device__ variable at the top of the text or of a namespace.
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

// flags: those of the program, for -D and -I. Macros, conditionals and included files are followed.
Declarations read_declarations(const std::string& text, const std::vector<std::string>& flags = {});

// Every __global__ function that the text defines, in order.
std::vector<Signature> read_signatures(const std::string& text,
                                       const std::vector<std::string>& flags = {});

// The one that a name expression means, with template arguments put in place ("tile<float, 16>": T
// becomes float). Nothing where the text has none of that name.
std::optional<Signature> find_signature(const std::vector<Signature>& signatures,
                                        const std::string& name_expression);

}  // namespace lanes::gpu
