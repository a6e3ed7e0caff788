// What torch.save writes, without tensors' elements: a Python pickle of dictionaries, tuples, texts
// and numbers. A pickle is a program for a small machine with a stack, which may call any Python
// function. This interpreter calls none: it knows a list of names, notes what they are called with,
// and refuses everything else.
#pragma once

#include "array_file.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanes::nn {

struct PickleValue {
    enum class Kind { none, number, text, tuple, list, dict, name, storage, tensor, other };
    Kind kind = Kind::none;
    long long number = 0;
    std::string text;                 // of a name: "torch FloatStorage"
    std::vector<PickleValue*> items;  // of a dict: key, value, key, value, …

    // Kind::storage: text is its key, number the count of elements.
    // Kind::tensor: a part of items[0], a storage.
    const char* type = "";   // of a storage's elements, as safetensors names them: "F32"
    std::size_t offset = 0;  // elements
    std::vector<std::size_t> shape;
    std::vector<std::size_t> strides;  // elements
};

class Unpickler {
public:
    Unpickler(const FileContext& file, const std::vector<unsigned char>& bytes)
        : file_(file), bytes_(bytes) {}

    // The value that the pickle describes; it lives as long as the Unpickler.
    const PickleValue& run();

private:
    using Kind = PickleValue::Kind;
    using Value = PickleValue;

    bool step();  // one instruction; false: the end
    bool step_literal(unsigned char code);
    bool step_container(unsigned char code);
    bool step_memory(unsigned char code);

    Value* make(Kind kind);
    Value* push(Value* value);
    Value* pop();
    Value& top();
    std::vector<Value*> pop_to_mark();
    void push_tuple(std::size_t count);
    void push_name(const std::string& module, const std::string& name);
    void push_storage(const Value& id);
    void call(const Value& function, const Value& arguments);
    void push_tensor(const Value& arguments);
    std::vector<std::size_t> sizes(const Value& tuple) const;
    void add_to_dict(Value& dict, const std::vector<Value*>& items);

    std::size_t number(std::size_t count);  // least significant byte first
    std::string text(std::size_t count);
    std::string line();
    [[noreturn]] void refuse(const std::string& what) const;

    const FileContext& file_;
    const std::vector<unsigned char>& bytes_;
    std::size_t at_ = 0;
    std::deque<Value> values_;  // all of them: pointers stay valid, circles do no harm
    std::vector<Value*> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::size_t, Value*> memory_;
};

}  // namespace lanes::nn
