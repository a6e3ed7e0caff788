// Random chains of image transforms. transforms.py makes them and says what the steps mean.
#include "programs.hpp"

#include "lanes/base/error.hpp"
#include "lanes/data/transforms.hpp"

namespace lanes_random {
namespace {

namespace transforms = lanes::transforms;

// As picture() of transforms.py.
lanes::ColorImage picture(std::size_t rows, std::size_t columns, std::uint32_t seed) {
    lanes::ColorImage image(std::array<std::size_t, 3>{rows, columns, 3});
    const std::vector<std::uint32_t> noise = hashed(seed, image.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        const std::size_t y = i / (3 * columns);
        const std::size_t x = i / 3 % columns;
        image.data()[i] =
            static_cast<unsigned char>((7 * y + 5 * x + 40 * (i % 3)) % 160 + noise[i] % 90);
    }
    return image;
}

lanes::CropBox box_of(const Json& step) { return {step[1], step[2], step[3], step[4]}; }

lanes::Picture applied(const Json& step, lanes::Picture image) {
    lanes::Rng rng(5);  // no result depends on it
    const auto n = [&](std::size_t i) { return step[i].get<std::size_t>(); };
    const auto kind = step[0].get<std::string>();
    if (kind == "Resize") return transforms::Resize(n(1))(image, rng);
    if (kind == "ResizeTo") return transforms::Resize(n(1), n(2))(image, rng);
    if (kind == "CenterCrop") return transforms::CenterCrop(n(1), n(2))(image, rng);
    if (kind == "Flip") return transforms::RandomHorizontalFlip(step[1])(image, rng);
    if (kind == "Crop") return image.crop(box_of(step));
    if (kind == "CropAndResize") return image.crop_and_resize(box_of(step), n(5), n(6));
    return transforms::RandomResizedCrop(n(1), step[2], step[3])(image, rng);
}

Tensor tensor_of(const lanes::ColorImage& image) {
    const std::vector<int> values(image.begin(), image.end());
    return Tensor::from(values).reshape(Shape(image.shape()));
}

// What is wrong; "" if nothing.
std::string result(const Json& program) {
    lanes::Picture image = picture(program.at("size")[0], program.at("size")[1], program["seed"]);
    double off = 1e-6;
    for (const Json& step : program.at("steps")) {
        image = applied(step, image);
        // Pillow rounds between columns and rows, the library does not: they differ by at most 1.
        if (step[0].get<std::string>().find("Resize") != std::string::npos) off += 1;
    }
    const std::string wrong = difference(tensor_of(image.pixels()), program.at("image"), {off, 0});
    if (!wrong.empty()) return "pixels: " + wrong;
    lanes::Rng rng(5);
    const transforms::Normalize normalize(program.at("mean"), program.at("deviation"));
    const Tensor x = normalize(transforms::ToTensor()(image, rng), rng).tensor();
    return difference(x, program.at("tensor"), {1e-5 + off / (255 * 0.225), 0});
}

TEST(RandomTransforms, GiveThePicturesOfTorchvision) {
    for (const Json& program : programs_of("transforms")) {
        std::string wrong;
        try {
            wrong = result(program);
        } catch (const lanes::Error& error) {
            wrong = error.what();
        }
        EXPECT_EQ(wrong, "") << program.at("size") << " " << program.at("steps");
    }
}

}  // namespace
}  // namespace lanes_random
