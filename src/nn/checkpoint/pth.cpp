// A .pth file of torch.save is a zip archive: NAME/data.pkl is a pickle that describes tensors, and
// NAME/data/KEY the elements of each storage.
#include "array_file.hpp"
#include "pickle.hpp"
#include "zip.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace lanes::nn {

namespace {

using Kind = PickleValue::Kind;

const PickleValue* item(const PickleValue& dict, const std::string& key) {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
        if (dict.items[i]->text == key) return dict.items[i + 1];
    return nullptr;
}

// The dictionary of tensors; a training script may have put it into another one.
const PickleValue* state_dict(const FileContext& file, const PickleValue* value) {
    LANES_REQUIRE(value->kind == Kind::dict, file.text(),
                  " holds no dictionary of tensors. Save model.state_dict() with torch.save.");
    for (const char* key : {"state_dict", "model_state_dict", "model"}) {
        const PickleValue* const inner = item(*value, key);
        if (inner != nullptr && inner->kind == Kind::dict) return inner;
    }
    return value;
}

class Storages {
public:
    // dict: all tensors that will be asked for
    Storages(Zip& zip, const std::vector<ZipEntry>& entries, const std::string& folder,
             const PickleValue& dict)
        : zip_(zip) {
        for (const ZipEntry& entry : entries)
            if (entry.name.compare(0, folder.size(), folder) == 0)
                entries_[entry.name.substr(folder.size())] = &entry;
        for (std::size_t i = 1; i < dict.items.size(); i += 2)
            if (dict.items[i]->kind == Kind::tensor)
                ++elements_[dict.items[i]->items.front()->text].tensors;
    }

    Array array_of(const std::string& name, const PickleValue& tensor) {
        const PickleValue& storage = *tensor.items.front();
        const ElementType* const type = type_of_safetensors(storage.type);
        if (type == nullptr) zip_.damaged(name, std::string("its type is ") + storage.type);
        const auto entry = entries_.find(storage.text);
        if (entry == entries_.end()) zip_.damaged(name, "its elements are missing");
        Array array;
        array.name = name;
        array.type = type;
        array.shape = tensor.shape;
        constexpr std::size_t most = std::size_t{1} << 48;  // more than any memory
        const std::size_t bytes = bytes_of(array.shape, type->bytes, most);
        zip_.total().add(name, bytes);  // strides may repeat elements
        Elements& elements = elements_[storage.text];
        if (!elements.loaded) elements.bytes = zip_.contents(*entry->second);
        elements.loaded = true;
        array.bytes.resize(bytes);
        copy(name, tensor, elements.bytes, array);
        if (--elements.tensors == 0) elements = {};
        return array;
    }

private:
    // In the order of rows, whatever the strides are.
    void copy(const std::string& name, const PickleValue& tensor,
              const std::vector<unsigned char>& elements, Array& array) const {
        const std::size_t size = array.type->bytes;
        const std::size_t available = elements.size() / size;
        for (std::size_t i = 0; i < array.bytes.size() / size; ++i) {
            std::size_t rest = i;
            std::size_t from = tensor.offset;
            for (std::size_t axis = tensor.shape.size(); axis > 0; --axis) {
                const std::size_t index = rest % tensor.shape[axis - 1];
                rest /= tensor.shape[axis - 1];
                const std::size_t stride = tensor.strides[axis - 1];
                if (from >= available || (index > 0 && stride > available / index))
                    zip_.damaged(name, "its elements are outside its storage");
                from += index * stride;
            }
            if (from >= available) zip_.damaged(name, "its elements are outside its storage");
            std::memcpy(array.bytes.data() + i * size, elements.data() + from * size, size);
        }
    }

    // Of a storage, decompressed once and kept until its last tensor has been copied.
    struct Elements {
        std::vector<unsigned char> bytes;
        std::size_t tensors = 0;  // to come
        bool loaded = false;
    };

    Zip& zip_;
    std::map<std::string, const ZipEntry*> entries_;
    std::map<std::string, Elements> elements_;  // by the key of the storage
};

}  // namespace

std::vector<Array> parse_pth(const FileContext& file, const std::vector<unsigned char>& bytes) {
    LANES_REQUIRE(bytes.size() > 4 && bytes[0] == 'P' && bytes[1] == 'K', file.text(),
                  " is no zip archive. Before version 1.6 PyTorch wrote another format: load it "
                  "with torch.load and save it again with torch.save.");
    Zip zip(file, bytes);
    const std::vector<ZipEntry> entries = zip.entries();
    const std::string program = "data.pkl";
    const auto pickle = std::find_if(entries.begin(), entries.end(), [&](const ZipEntry& entry) {
        return ends_with(entry.name, program);
    });
    if (pickle == entries.end()) zip.damaged("", "it has no data.pkl");
    const std::string folder =
        pickle->name.substr(0, pickle->name.size() - program.size()) + "data/";
    const std::vector<unsigned char> instructions = zip.contents(*pickle);
    Unpickler unpickler(file, instructions);
    const PickleValue& dict = *state_dict(file, &unpickler.run());
    Storages storages(zip, entries, folder, dict);
    std::vector<Array> arrays;
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
        if (dict.items[i + 1]->kind == Kind::tensor)
            arrays.push_back(storages.array_of(dict.items[i]->text, *dict.items[i + 1]));
    // Layers without weights have an empty state_dict().
    LANES_REQUIRE(!arrays.empty() || dict.items.empty(), file.text(),
                  " holds no tensors. Save model.state_dict() with torch.save.");
    return arrays;
}

}  // namespace lanes::nn
