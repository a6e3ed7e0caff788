#include "lanes/data/plates.hpp"

#include "scene.hpp"

#include "lanes/base/error.hpp"

namespace lanes {

void plates::photograph(Canvas& canvas, Rng& rng) {
    const float warmth = draw(rng, -0.10f, 0.12f);
    const float exposure = draw(rng, 0.75f, 1.12f);
    const Colour balance{exposure * (1 + warmth), exposure, exposure * (1 - warmth)};
    const float vignette = draw(rng, 0, 0.5f);
    const float grain = draw(rng, 0.004f, 0.02f);
    std::vector<float> noise(canvas.size() * canvas.size());
    rng.fill_normal(noise.data(), noise.size(), 0, grain);
    std::size_t number = 0;
    canvas.paint_all([&](Point p, Colour& colour) {
        const Point q = p - Point{0.5f, 0.5f};
        const float edge = 1 - vignette * dot(q, q);
        const float added = noise[number++];
        colour = {edge * balance.red * colour.red + added,
                  edge * balance.green * colour.green + added,
                  edge * balance.blue * colour.blue + added};
    });
}

ColorImage draw_plate(bool dirty, Rng& rng, std::size_t size) {
    using namespace plates;
    LANES_REQUIRE(size >= 16 && size <= 4096, "draw_plate: ", size, " x ", size,
                  " pixels. Give a size from 16 to 4096.");
    // Each part has its own random numbers, so that dirt changes nothing else.
    const Rng parts(rng.bits());
    std::array<Rng, 8> of{parts.split(0), parts.split(1), parts.split(2), parts.split(3),
                          parts.split(4), parts.split(5), parts.split(6), parts.split(7)};
    Canvas canvas(size);
    const Scene scene = draw_scene(of[0]);
    paint_table(canvas, scene, of[1]);
    paint_cutlery(canvas, scene, of[2]);
    paint_crumbs_on_table(canvas, scene, of[3]);
    paint_dish(canvas, scene, of[4]);
    if (dirty) paint_dirt(canvas, scene, of[5]);
    paint_reflections(canvas, scene, of[6]);
    photograph(canvas, of[7]);

    ColorImage image(std::array<std::size_t, 3>{size, size, 3});
    unsigned char* to = image.data();
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) {
            const Colour colour = canvas.at(row, column);
            for (const float value : {colour.red, colour.green, colour.blue})
                *to++ =
                    static_cast<unsigned char>(std::lround(255 * std::clamp(value, 0.0f, 1.0f)));
        }
    return image;
}

}  // namespace lanes
