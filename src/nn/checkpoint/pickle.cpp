#include "pickle.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace lanes::nn {

namespace {

struct StorageName {
    const char* name;
    const char* type;  // as safetensors names it
};
constexpr StorageName storages[] = {
    {"torch FloatStorage", "F32"},     {"torch DoubleStorage", "F64"}, {"torch HalfStorage", "F16"},
    {"torch BFloat16Storage", "BF16"}, {"torch LongStorage", "I64"},   {"torch IntStorage", "I32"},
    {"torch ShortStorage", "I16"},     {"torch CharStorage", "I8"},    {"torch ByteStorage", "U8"},
    {"torch BoolStorage", "BOOL"},
};

const char* const ordered_dict = "collections OrderedDict";
const char* const rebuild_tensor = "torch._utils _rebuild_tensor_v2";
const char* const rebuild_parameter = "torch._utils _rebuild_parameter";

const StorageName* storage_named(const std::string& name) {
    const auto* const found =
        std::find_if(std::begin(storages), std::end(storages),
                     [&](const StorageName& storage) { return name == storage.name; });
    return found == std::end(storages) ? nullptr : found;
}

// Instructions, by the names of Python's pickletools.
enum Code : unsigned char {
    MARK = '(',
    STOP = '.',
    BININT = 'J',
    BININT1 = 'K',
    BININT2 = 'M',
    NONE = 'N',
    BINPERSID = 'Q',
    REDUCE = 'R',
    BINUNICODE = 'X',
    EMPTY_LIST = ']',
    APPEND = 'a',
    BUILD = 'b',
    GLOBAL = 'c',
    APPENDS = 'e',
    BINGET = 'h',
    LONG_BINGET = 'j',
    BINPUT = 'q',
    LONG_BINPUT = 'r',
    SETITEM = 's',
    TUPLE = 't',
    EMPTY_TUPLE = ')',
    SETITEMS = 'u',
    EMPTY_DICT = '}',
    BINFLOAT = 'G',
    PROTO = 0x80,
    TUPLE1 = 0x85,
    TUPLE2 = 0x86,
    TUPLE3 = 0x87,
    NEWTRUE = 0x88,
    NEWFALSE = 0x89,
    LONG1 = 0x8a,
    SHORT_BINUNICODE = 0x8c,
    STACK_GLOBAL = 0x93,
    MEMOIZE = 0x94,
    FRAME = 0x95,
};

}  // namespace

const PickleValue& Unpickler::run() {
    while (step()) {
    }
    if (stack_.size() != 1) refuse("it ends with " + std::to_string(stack_.size()) + " values");
    return *stack_.front();
}

bool Unpickler::step() {
    const auto code = static_cast<unsigned char>(number(1));
    if (code == STOP) return false;
    if (code == PROTO) {
        const std::size_t version = number(1);
        if (version < 2 || version > 5) refuse("its version is " + std::to_string(version));
    } else if (code == FRAME) {
        number(8);
    } else if (!step_literal(code) && !step_container(code) && !step_memory(code)) {
        refuse("it has the instruction " + std::to_string(code) + ", which weights do not need");
    }
    return true;
}

bool Unpickler::step_literal(unsigned char code) {
    switch (code) {
        case NONE:
            push(make(Kind::none));
            return true;
        case NEWTRUE:
        case NEWFALSE:
            push(make(Kind::number))->number = code == NEWTRUE ? 1 : 0;
            return true;
        case BININT:
            push(make(Kind::number))->number = static_cast<std::int32_t>(number(4));
            return true;
        case BININT1:
            push(make(Kind::number))->number = static_cast<long long>(number(1));
            return true;
        case BININT2:
            push(make(Kind::number))->number = static_cast<long long>(number(2));
            return true;
        case LONG1: {
            const std::size_t count = number(1);
            if (count > 8) refuse("it has an integer of " + std::to_string(count) + " bytes");
            std::size_t value = number(count);
            const bool negative = count > 0 && (value >> (8 * count - 1) & 1) != 0;
            if (negative && count < 8) value |= ~std::size_t{0} << (8 * count);
            push(make(Kind::number))->number = static_cast<long long>(value);
            return true;
        }
        case BINFLOAT:  // not needed: tensors have their numbers elsewhere
            number(8);
            push(make(Kind::other));
            return true;
        case BINUNICODE:
            push(make(Kind::text))->text = text(number(4));
            return true;
        case SHORT_BINUNICODE:
            push(make(Kind::text))->text = text(number(1));
            return true;
        case GLOBAL: {
            const std::string module = line();
            push_name(module, line());
            return true;
        }
        case STACK_GLOBAL: {
            const std::string name = pop()->text;
            push_name(pop()->text, name);
            return true;
        }
        default:
            return false;
    }
}

bool Unpickler::step_container(unsigned char code) {
    switch (code) {
        case EMPTY_DICT:
            push(make(Kind::dict));
            return true;
        case EMPTY_LIST:
            push(make(Kind::list));
            return true;
        case EMPTY_TUPLE:
            push(make(Kind::tuple));
            return true;
        case TUPLE1:
        case TUPLE2:
        case TUPLE3:
            push_tuple(std::size_t{code} - TUPLE1 + 1);
            return true;
        case TUPLE: {
            std::vector<Value*> items = pop_to_mark();
            push(make(Kind::tuple))->items = std::move(items);
            return true;
        }
        case APPEND: {
            Value* const item = pop();
            top().items.push_back(item);
            return true;
        }
        case APPENDS: {
            const std::vector<Value*> items = pop_to_mark();
            top().items.insert(top().items.end(), items.begin(), items.end());
            return true;
        }
        case SETITEM: {
            Value* const value = pop();
            Value* const key = pop();
            add_to_dict(top(), {key, value});
            return true;
        }
        case SETITEMS: {
            const std::vector<Value*> items = pop_to_mark();
            add_to_dict(top(), items);
            return true;
        }
        default:
            return false;
    }
}

bool Unpickler::step_memory(unsigned char code) {
    switch (code) {
        case MARK:
            marks_.push_back(stack_.size());
            return true;
        case BINPUT:
            memory_[number(1)] = &top();
            return true;
        case LONG_BINPUT:
            memory_[number(4)] = &top();
            return true;
        case MEMOIZE: {
            const std::size_t index = memory_.size();
            memory_[index] = &top();
            return true;
        }
        case BINGET:
        case LONG_BINGET: {
            const auto found = memory_.find(number(code == BINGET ? 1 : 4));
            if (found == memory_.end()) refuse("it uses a value before it is made");
            push(found->second);
            return true;
        }
        case BINPERSID:
            push_storage(*pop());
            return true;
        case REDUCE: {
            const Value* const arguments = pop();
            const Value* const function = pop();
            call(*function, *arguments);
            return true;
        }
        case BUILD:  // attributes of an OrderedDict: versions of the modules
            pop();
            top();
            return true;
        default:
            return false;
    }
}

Unpickler::Value* Unpickler::make(Kind kind) {
    values_.emplace_back();
    values_.back().kind = kind;
    return &values_.back();
}

Unpickler::Value* Unpickler::push(Value* value) {
    stack_.push_back(value);
    return value;
}

Unpickler::Value& Unpickler::top() {
    const std::size_t bottom = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= bottom) refuse("it takes a value that is not there");
    return *stack_.back();
}

Unpickler::Value* Unpickler::pop() {
    Value* const value = &top();
    stack_.pop_back();
    return value;
}

std::vector<Unpickler::Value*> Unpickler::pop_to_mark() {
    if (marks_.empty()) refuse("it takes values without a mark");
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Value*> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
}

void Unpickler::push_tuple(std::size_t count) {
    std::vector<Value*> items(count);
    for (std::size_t i = count; i > 0; --i) items[i - 1] = pop();
    push(make(Kind::tuple))->items = std::move(items);
}

void Unpickler::push_name(const std::string& module, const std::string& name) {
    const std::string full = module + " " + name;
    const bool known = full == ordered_dict || full == rebuild_tensor ||
                       full == rebuild_parameter || storage_named(full) != nullptr;
    LANES_REQUIRE(known, file_.text(), " asks for the Python object ", module, ".", name,
                  ", which weights do not need. It is not called. ",
                  "Save model.state_dict(), and use files of people you trust only.");
    push(make(Kind::name))->text = full;
}

// id: ("storage", type, key, device, number of elements)
void Unpickler::push_storage(const Value& id) {
    const bool fits = id.kind == Kind::tuple && id.items.size() == 5 &&
                      id.items[0]->text == "storage" && id.items[1]->kind == Kind::name &&
                      id.items[2]->kind == Kind::text && id.items[4]->kind == Kind::number;
    const StorageName* const storage = fits ? storage_named(id.items[1]->text) : nullptr;
    if (storage == nullptr) refuse("it refers to something that is no storage of a tensor");
    Value* const value = push(make(Kind::storage));
    value->text = id.items[2]->text;
    value->number = id.items[4]->number;
    value->type = storage->type;
}

void Unpickler::call(const Value& function, const Value& arguments) {
    if (function.kind != Kind::name || arguments.kind != Kind::tuple)
        refuse("it calls something that is no function");
    if (function.text == ordered_dict)
        push(make(Kind::dict));
    else if (function.text == rebuild_tensor)
        push_tensor(arguments);
    else if (function.text == rebuild_parameter && !arguments.items.empty())
        push(arguments.items.front());  // the tensor inside a parameter
    else
        refuse("it calls " + function.text);
}

// arguments: (storage, offset, shape, strides, requires_grad, hooks)
void Unpickler::push_tensor(const Value& arguments) {
    const auto& items = arguments.items;
    const bool fits = items.size() >= 4 && items[0]->kind == Kind::storage &&
                      items[1]->kind == Kind::number && items[1]->number >= 0;
    if (!fits) refuse("a tensor in it has no storage");
    Value* const tensor = push(make(Kind::tensor));
    tensor->items = {items[0]};
    tensor->offset = static_cast<std::size_t>(items[1]->number);
    tensor->shape = sizes(*items[2]);
    tensor->strides = sizes(*items[3]);
    if (tensor->shape.size() != tensor->strides.size())
        refuse("a tensor in it has " + std::to_string(tensor->shape.size()) + " axes and " +
               std::to_string(tensor->strides.size()) + " strides");
}

std::vector<std::size_t> Unpickler::sizes(const Value& tuple) const {
    std::vector<std::size_t> result;
    for (const Value* item : tuple.items) {
        if (item->kind != Kind::number || item->number < 0) refuse("a tensor in it has no shape");
        result.push_back(static_cast<std::size_t>(item->number));
    }
    return result;
}

void Unpickler::add_to_dict(Value& dict, const std::vector<Value*>& items) {
    if (dict.kind != Kind::dict || items.size() % 2 != 0)
        refuse("it sets an item of something that is no dictionary");
    dict.items.insert(dict.items.end(), items.begin(), items.end());
}

std::size_t Unpickler::number(std::size_t count) {
    if (count > bytes_.size() - at_) refuse("it was cut off");
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::size_t{bytes_[at_++]} << (8 * i);
    return value;
}

std::string Unpickler::text(std::size_t count) {
    if (count > bytes_.size() - at_) refuse("it was cut off");
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

std::string Unpickler::line() {
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = std::find(first, bytes_.end(), '\n');
    if (end == bytes_.end()) refuse("it was cut off");
    at_ += static_cast<std::size_t>(end - first) + 1;
    return {first, end};
}

void Unpickler::refuse(const std::string& what) const {
    throw Error(file_.text(), ": data.pkl, byte ", at_, ": ", what,
                ". Is this a file that torch.save has written? Get it again.");
}

}  // namespace lanes::nn
