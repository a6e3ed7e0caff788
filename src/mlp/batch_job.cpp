#include "lanes/mlp/batch_job.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace lanes {

namespace {

// The start of both messages.
struct Head {
    std::uint64_t kind, index, images, pixels, classes;
};
constexpr std::uint64_t job_kind = 0x6a6f62, batch_kind = 0x6261746368;

void append(std::string& bytes, const void* data, std::size_t size) {
    if (size > 0) bytes.append(static_cast<const char*>(data), size);
}

class Reader {
public:
    Reader(const std::string& bytes, std::uint64_t kind) : bytes_(bytes) {
        LANES_REQUIRE(bytes.size() >= sizeof head, "batch: a message of ", bytes.size(),
                      " bytes, which is too short. Does the queue keep messages whole?");
        take(&head, sizeof head);
        LANES_REQUIRE(head.kind == kind, "batch: a message of ", bytes.size(),
                      " bytes that is neither a job nor a batch as expected. Does the queue keep "
                      "messages whole?");
        LANES_REQUIRE(head.images < most && head.pixels < most && head.classes < most,
                      "batch: a message that claims ", head.images, " images of ", head.pixels,
                      " pixels. Does the queue keep messages whole?");
    }

    void take(void* data, std::size_t size) {
        LANES_REQUIRE(size <= bytes_.size() - done_, "batch: a message of ", bytes_.size(),
                      " bytes, which is too short. Does the queue keep messages whole?");
        if (size > 0) std::memcpy(data, bytes_.data() + done_, size);
        done_ += size;
    }

    // The next numbers. They are aligned, because everything before them is a multiple of eight
    // bytes long.
    const float* floats(std::uint64_t rows, std::uint64_t columns) {
        LANES_REQUIRE(rows * columns * sizeof(float) <= bytes_.size() - done_,
                      "batch: a message of ", bytes_.size(),
                      " bytes, which is too short. Does the queue keep messages whole?");
        const auto* const values = reinterpret_cast<const float*>(bytes_.data() + done_);
        done_ += rows * columns * sizeof(float);
        return values;
    }

    Matrix matrix(std::uint64_t rows, std::uint64_t columns) {
        const float* const from = floats(rows, columns);
        Matrix values(std::array<std::size_t, 2>{rows, columns});
        std::copy_n(from, values.size(), values.data());
        return values;
    }

    Head head{};

private:
    static constexpr std::uint64_t most = 1 << 30;
    const std::string& bytes_;
    std::size_t done_ = 0;
};

}  // namespace

std::string_view Message<BatchJob>::bytes(const BatchJob& job, std::string& scratch) {
    const Head head{job_kind, job.index, job.images.size(), 0, job.labels.shape(1)};
    LANES_REQUIRE(job.labels.shape(0) == job.images.size(), "BatchJob: ", job.images.size(),
                  " images and labels ", job.labels.shape(), ". Give one label per image.");
    const std::uint64_t has_bounds = job.bounds ? 1 : 0;
    scratch.clear();
    scratch.reserve(sizeof head + sizeof has_bounds + sizeof *job.bounds +
                    job.images.size() * sizeof job.images[0] + job.labels.size() * sizeof(float));
    append(scratch, &head, sizeof head);
    append(scratch, &has_bounds, sizeof has_bounds);
    if (job.bounds) append(scratch, &*job.bounds, sizeof *job.bounds);
    append(scratch, job.images.data(), job.images.size() * sizeof job.images[0]);
    append(scratch, job.labels.data(), job.labels.size() * sizeof(float));
    return scratch;
}

BatchJob Message<BatchJob>::from(const std::string& bytes) {
    Reader reader(bytes, job_kind);
    BatchJob job;
    job.index = reader.head.index;
    std::uint64_t has_bounds = 0;
    reader.take(&has_bounds, sizeof has_bounds);
    if (has_bounds) reader.take(&job.bounds.emplace(), sizeof(AugmentationBounds));
    LANES_REQUIRE(reader.head.images * sizeof(std::uint64_t) <= bytes.size(),
                  "batch: a message of ", bytes.size(),
                  " bytes, which is too short. Does the queue keep messages whole?");
    job.images.resize(reader.head.images);
    reader.take(job.images.data(), job.images.size() * sizeof(std::uint64_t));
    job.labels = reader.matrix(reader.head.images, reader.head.classes);
    return job;
}

std::string_view Message<ImageBatch>::bytes(const ImageBatch& batch, std::string& scratch) {
    const Head head{batch_kind, batch.index, batch.x.shape(0), batch.x.shape(1), batch.y.shape(1)};
    LANES_REQUIRE(batch.x.shape(0) == batch.y.shape(0), "ImageBatch: images ", batch.x.shape(),
                  " and labels ", batch.y.shape(), ". Give one label per image.");
    scratch.clear();
    scratch.reserve(sizeof head + (batch.x.size() + batch.y.size()) * sizeof(float));
    append(scratch, &head, sizeof head);
    append(scratch, batch.x.data(), batch.x.size() * sizeof(float));
    append(scratch, batch.y.data(), batch.y.size() * sizeof(float));
    return scratch;
}

ImageBatch Message<ImageBatch>::from(const std::string& bytes) {
    const BatchView view = view_of(bytes);
    ImageBatch batch{view.index, Matrix(std::array<std::size_t, 2>{view.images, view.pixels}),
                     Matrix(std::array<std::size_t, 2>{view.images, view.classes})};
    std::copy_n(view.x, batch.x.size(), batch.x.data());
    std::copy_n(view.y, batch.y.size(), batch.y.data());
    return batch;
}

std::string to_bytes(const ImageBatch& batch) {
    std::string bytes;
    Message<ImageBatch>::bytes(batch, bytes);
    return bytes;
}

ImageBatch batch_of(const std::string& bytes) { return Message<ImageBatch>::from(bytes); }

float* begin_batch(std::string& bytes, std::uint64_t index, std::size_t pixels,
                   const Matrix& labels) {
    const Head head{batch_kind, index, labels.shape(0), pixels, labels.shape(1)};
    const std::size_t images = labels.shape(0) * pixels * sizeof(float);
    bytes.resize(sizeof head + images + labels.size() * sizeof(float));
    std::memcpy(bytes.data(), &head, sizeof head);
    if (labels.size() > 0)
        std::memcpy(bytes.data() + sizeof head + images, labels.data(),
                    labels.size() * sizeof(float));
    return reinterpret_cast<float*>(bytes.data() + sizeof head);
}

BatchView view_of(const std::string& bytes) {
    Reader reader(bytes, batch_kind);
    const Head& head = reader.head;
    return {head.index,
            head.images,
            head.pixels,
            head.classes,
            reader.floats(head.images, head.pixels),
            reader.floats(head.images, head.classes)};
}

}  // namespace lanes
