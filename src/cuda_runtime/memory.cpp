// Memory: allocations, copies, variables of the device.
#include "call.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lanes::cuda_runtime {

namespace {

using Kind = Allocation::Kind;

// "4096 bytes that cudaMalloc allocated in saxpy.cu:12"
std::string description(const Allocation& allocation) {
    return std::to_string(allocation.bytes) + " bytes that " + allocation.function +
           " allocated in " + place_text(allocation.caller);
}

cudaError_t allocate(Kind kind, void** pointer, std::size_t bytes, const void* caller,
                     const char* function) {
    return call(
        caller, function,
        [&](Runtime& runtime) {
            if (!pointer)
                throw Error(
                    "the first argument is a null pointer. Give the address of a pointer, "
                    "such as &d");
            *pointer = nullptr;
            if (bytes > 0) *pointer = runtime.allocate(kind, bytes, caller, function).first;
            return cudaSuccess;
        },
        cudaErrorMemoryAllocation);
}

cudaError_t release(void* pointer, bool pinned, const void* caller, const char* function) {
    return call(caller, function, [&](Runtime& runtime) {
        if (!pointer) return cudaSuccess;
        Allocation* const found = runtime.find(pointer);
        if (!found) {
            if (const auto* freed = runtime.find_freed(pointer))
                throw Error("this memory was already freed in ", place_text(freed->second),
                            ". Free it once");
            throw Error(
                "this pointer is not one that CUDA allocated. Memory of the host is freed "
                "with free() or delete");
        }
        if (found->first != pointer)
            throw Error("the pointer is ", static_cast<unsigned char*>(pointer) - found->first,
                        " bytes past the first byte of ", description(*found),
                        ". Free the pointer that was allocated");
        if (pinned != (found->kind == Kind::pinned))
            throw Error("this is memory of ", description(*found), ". Free it with ",
                        found->kind == Kind::pinned ? "cudaFreeHost" : "cudaFree");
        runtime.free(found->first, caller);
        return cudaSuccess;
    });
}

// One side of a copy: bytes of device memory, or of the host.
struct Side {
    Allocation* allocation = nullptr;
    unsigned char* address = nullptr;
    bool only_device() const { return allocation && allocation->kind == Kind::device; }
    bool device_can() const { return allocation != nullptr; }
};

constexpr std::size_t unknown_room = std::numeric_limits<std::size_t>::max();

// room: bytes of a block of the host.
Side side_of(Runtime& runtime, const void* address, std::size_t bytes, const char* which,
             const char* operation = "the copy", std::size_t room = unknown_room) {
    Side side;
    side.address = static_cast<unsigned char*>(const_cast<void*>(address));
    if (!address) throw Error("the ", which, " is a null pointer. Was it allocated?");
    side.allocation = runtime.find(address);
    if (!side.allocation) {
        if (const auto* freed = runtime.find_freed(address))
            throw Error("the ", which, " was freed in ", place_text(freed->second));
        if (bytes > room)
            throw Error("the ", which, " is memory of the host with ", room, " bytes, ", operation,
                        " needs ", bytes,
                        ". Sizes are counted in bytes: elements * sizeof(element)");
        return side;
    }
    const std::size_t offset = static_cast<std::size_t>(side.address - side.allocation->first);
    if (bytes > side.allocation->bytes - offset)
        throw Error("the ", which, " has ", side.allocation->bytes - offset, " bytes (of ",
                    description(*side.allocation), "), ", operation, " needs ", bytes,
                    ". Sizes are counted in bytes: elements * sizeof(element)");
    return side;
}

const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        default:
            return "cudaMemcpyDefault";
    }
}

void check_direction(const Side& to, const Side& from, cudaMemcpyKind kind) {
    if (kind == cudaMemcpyDefault) return;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
               from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool to_fits = to_device ? to.device_can() : !to.only_device(),
               from_fits = from_device ? from.device_can() : !from.only_device();
    if (to_fits && from_fits) return;
    const auto belongs = [](const Side& side) {
        return side.only_device() ? "the device" : "the host";
    };
    std::string advice;
    if (!to_fits && !from_fits)
        advice =
            "Destination and source are swapped, or the direction is: the destination comes "
            "first";
    else
        advice =
            std::string("It should be ") +
            name_of(to.only_device()
                        ? (from.only_device() ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                        : (from.only_device() ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost));
    throw Error("the destination is memory of ", belongs(to), " and the source of ", belongs(from),
                ", but the direction is ", name_of(kind), ". ", advice);
}

void move_bytes(const Side& to, const Side& from, std::size_t bytes) {
    const auto offset = [](const Side& side) {
        return static_cast<std::size_t>(side.address - side.allocation->first);
    };
    const bool to_memory = to.allocation && to.allocation->memory,
               from_memory = from.allocation && from.allocation->memory;
    std::vector<unsigned char> between;
    const void* source = from.address;
    if (from_memory) {
        const HostAccess access(from.allocation);
        if (!to_memory) {
            from.allocation->memory->download(offset(from), to.address, bytes);
            return;
        }
        between.resize(bytes);
        from.allocation->memory->download(offset(from), between.data(), bytes);
        source = between.data();
    }
    if (!to_memory) {
        std::memmove(to.address, source, bytes);
        return;
    }
    const HostAccess access(to.allocation);
    to.allocation->memory->upload(offset(to), source, bytes);
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      const void* caller, const char* function) {
    return call(caller, function, [&](Runtime& runtime) {
        if (width > to_pitch || width > from_pitch)
            throw Error("a row has ", width, " bytes, and rows begin ", to_pitch, " and ",
                        from_pitch, " bytes after each other. A pitch is at least the width");
        for (std::size_t row = 0; row < height && width > 0; ++row) {
            const Side destination =
                side_of(runtime, static_cast<char*>(to) + row * to_pitch, width, "destination");
            const Side source = side_of(runtime, static_cast<const char*>(from) + row * from_pitch,
                                        width, "source");
            check_direction(destination, source, kind);
            move_bytes(destination, source, width);
        }
        return cudaSuccess;
    });
}

cudaError_t fill(void* to, int value, std::size_t bytes, const void* caller, const char* function) {
    return call(caller, function, [&](Runtime& runtime) {
        if (bytes == 0) return cudaSuccess;
        const Side side = side_of(runtime, to, bytes, "memory", "filling it");
        if (!side.device_can())
            throw Error(
                "this is memory of the host. Use memset for it, or give the pointer that "
                "cudaMalloc has set");
        const std::vector<unsigned char> values(bytes, static_cast<unsigned char>(value));
        move_bytes(side, {nullptr, const_cast<unsigned char*>(values.data())}, bytes);
        return cudaSuccess;
    });
}

// Bytes of a variable that a copy may touch.
std::shared_ptr<gpu::Memory> checked_variable(Runtime& runtime, const void* symbol,
                                              std::size_t bytes, std::size_t offset) {
    std::string name;
    auto memory = runtime.variable(symbol, &name);
    if (offset > memory->bytes() || bytes > memory->bytes() - offset)
        throw Error(name, " has ", memory->bytes(), " bytes, the copy needs ", bytes,
                    offset ? " from byte " + std::to_string(offset) + " on" : std::string(),
                    ". Sizes are counted in bytes: elements * sizeof(element)");
    return memory;
}

}  // namespace

}  // namespace lanes::cuda_runtime

using namespace lanes::cuda_runtime;  // NOLINT: the functions below are CUDA's

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return allocate(Allocation::Kind::device, pointer, bytes, LANES_CALLER, "cudaMalloc");
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
    return allocate(Allocation::Kind::device, pointer, bytes, LANES_CALLER, "cudaMallocAsync");
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned) {
    return allocate(Allocation::Kind::managed, pointer, bytes, LANES_CALLER, "cudaMallocManaged");
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return allocate(Allocation::Kind::pinned, pointer, bytes, LANES_CALLER, "cudaMallocHost");
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
    return allocate(Allocation::Kind::pinned, pointer, bytes, LANES_CALLER, "cudaHostAlloc");
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    const void* const caller = LANES_CALLER;
    constexpr size_t boundary = 512, most = std::numeric_limits<size_t>::max();  // bytes
    const cudaError_t refused = call(
        caller, "cudaMallocPitch",
        [&](Runtime&) {
            if (!pitch)
                throw lanes::Error(
                    "the second argument is a null pointer. Give the address of a size_t, such as "
                    "&pitch");
            if (width > most - boundary)
                throw lanes::Error("a row of ", width, " bytes is too long");
            const size_t rounded = (width + boundary - 1) / boundary * boundary;
            if (rounded > 0 && height > most / rounded)
                throw lanes::Error(std::to_string(height), " rows of ", rounded,
                                   " bytes are more than a size_t can count. Use fewer or shorter "
                                   "rows");
            *pitch = rounded;
            return cudaSuccess;
        },
        cudaErrorMemoryAllocation);
    if (refused) return refused;
    return allocate(Allocation::Kind::device, pointer, *pitch * height, caller, "cudaMallocPitch");
}
cudaError_t cudaFree(void* pointer) { return release(pointer, false, LANES_CALLER, "cudaFree"); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
    return release(pointer, false, LANES_CALLER, "cudaFreeAsync");
}
cudaError_t cudaFreeHost(void* pointer) {
    return release(pointer, true, LANES_CALLER, "cudaFreeHost");
}

cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned) {
    return call(LANES_CALLER, "cudaHostGetDevicePointer", [&](Runtime& runtime) {
        if (!runtime.find(host))
            throw lanes::Error(
                "this memory was not allocated by cudaHostAlloc or cudaMallocHost, "
                "and the device cannot follow its address");
        *pointer = host;
        return cudaSuccess;
    });
}
// Makes copies faster on a GPU; here there is nothing to do.
cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call(LANES_CALLER, "cudaPointerGetAttributes", [&](Runtime& runtime) {
        const Allocation* found = runtime.find(pointer);
        void* const address = const_cast<void*>(pointer);
        *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, address};
        if (!found) return cudaSuccess;
        attributes->devicePointer = address;
        attributes->type = found->kind == Allocation::Kind::device    ? cudaMemoryTypeDevice
                           : found->kind == Allocation::Kind::managed ? cudaMemoryTypeManaged
                                                                      : cudaMemoryTypeHost;
        if (found->kind == Allocation::Kind::device) attributes->hostPointer = nullptr;
        return cudaSuccess;
    });
}

cudaError_t lanes_cuda_memcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                              size_t to_room, size_t from_room, const char* function) {
    return call(LANES_CALLER, function, [&](Runtime& runtime) {
        if (bytes == 0) return cudaSuccess;
        const Side destination = side_of(runtime, to, bytes, "destination", "the copy", to_room),
                   source = side_of(runtime, from, bytes, "source", "the copy", from_room);
        check_direction(destination, source, kind);
        move_bytes(destination, source, bytes);
        return cudaSuccess;
    });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, LANES_CALLER,
                     "cudaMemcpy2D");
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t) {
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, LANES_CALLER,
                     "cudaMemcpy2DAsync");
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return fill(to, value, bytes, LANES_CALLER, "cudaMemset");
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
    return fill(to, value, bytes, LANES_CALLER, "cudaMemsetAsync");
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    const void* const caller = LANES_CALLER;
    for (size_t row = 0; row < height; ++row)
        if (const cudaError_t error =
                fill(static_cast<char*>(to) + row * pitch, value, width, caller, "cudaMemset2D"))
            return error;
    return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }

cudaError_t lanes_cuda_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                 cudaMemcpyKind) {
    return call(
        LANES_CALLER, "cudaMemcpyToSymbol",
        [&](Runtime& runtime) {
            const auto memory = checked_variable(runtime, symbol, bytes, offset);
            const Side source = side_of(runtime, from, bytes, "source");
            std::vector<unsigned char> values(bytes);
            move_bytes({nullptr, values.data()}, source, bytes);
            memory->upload(offset, values.data(), bytes);
            return cudaSuccess;
        },
        cudaErrorInvalidSymbol);
}
cudaError_t lanes_cuda_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                   cudaMemcpyKind) {
    return call(
        LANES_CALLER, "cudaMemcpyFromSymbol",
        [&](Runtime& runtime) {
            const auto memory = checked_variable(runtime, symbol, bytes, offset);
            const Side destination = side_of(runtime, to, bytes, "destination");
            std::vector<unsigned char> values(bytes);
            memory->download(offset, values.data(), bytes);
            move_bytes(destination, {nullptr, values.data()}, bytes);
            return cudaSuccess;
        },
        cudaErrorInvalidSymbol);
}
cudaError_t lanes_cuda_symbol_size(size_t* bytes, const void* symbol) {
    return call(
        LANES_CALLER, "cudaGetSymbolSize",
        [&](Runtime& runtime) {
            *bytes = runtime.variable(symbol)->bytes();
            return cudaSuccess;
        },
        cudaErrorInvalidSymbol);
}
cudaError_t lanes_cuda_symbol_address(void** address, const void* symbol) {
    return call(
        LANES_CALLER, "cudaGetSymbolAddress",
        [&](Runtime& runtime) {
            if (runtime.on_simulator())
                throw lanes::Error(
                    "the simulator's variables have no fixed address. Use "
                    "cudaMemcpyToSymbol and cudaMemcpyFromSymbol");
            *address = runtime.variable(symbol)->address();
            return cudaSuccess;
        },
        cudaErrorNotSupported);
}
