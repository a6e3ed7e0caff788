// The plate: shadow on the table, glazed surface with a rim and a well, decoration, reflections.
#include "scene.hpp"

namespace lanes::plates {

namespace {

constexpr std::array<Colour, 10> glazes{{{0.93f, 0.93f, 0.92f},
                                         {0.95f, 0.94f, 0.90f},
                                         {0.90f, 0.92f, 0.95f},
                                         {0.92f, 0.89f, 0.82f},
                                         {0.93f, 0.93f, 0.92f},
                                         {0.95f, 0.94f, 0.90f},
                                         {0.72f, 0.80f, 0.86f},
                                         {0.80f, 0.84f, 0.76f},
                                         {0.36f, 0.38f, 0.42f},
                                         {0.86f, 0.78f, 0.72f}}};
constexpr std::array<Colour, 6> paints{{{0.18f, 0.28f, 0.58f},
                                        {0.70f, 0.56f, 0.22f},
                                        {0.60f, 0.16f, 0.18f},
                                        {0.20f, 0.42f, 0.30f},
                                        {0.35f, 0.35f, 0.38f},
                                        {0.55f, 0.36f, 0.24f}}};

void paint_shadow(Canvas& canvas, const Scene& scene, Rng& rng) {
    const float depth = draw(rng, 0.35f, 0.7f);
    const Point offset = -draw(rng, 0.02f, 0.06f) * scene.light;
    const float soft = 0.06f + 0.12f * (1 - scene.hardness);
    canvas.paint_all([&](Point p, Colour& colour) {
        const float r = length(scene.on_plate(p - offset));
        colour = (1 - depth * smooth_step(1 + soft, 1 - 0.5f * soft, r)) * colour;
    });
}

// How steep the surface is at a distance from the centre; positive: higher towards the edge.
struct Profile {
    float well;    // radius of the flat middle
    float rim;     // where the rim begins
    float height;  // strength of the shading

    float slope(float r) const {
        const float wall =
            smooth_step(well, 0.5f * (well + rim), r) * smooth_step(rim, 0.5f * (well + rim), r);
        const float lip = smooth_step(0.955f, 0.975f, r) * smooth_step(1.0f, 0.98f, r);
        return height * (wall + 0.12f * smooth_step(rim, 1, r) - 1.2f * lip);
    }
};

// Rings and dots on the rim, or a pattern in the middle: not dirt.
struct Decoration {
    Colour paint;
    int kind;  // 0 to 2: none, 3: ring, 4: two rings, 5: dots, 6: broad rim, 7: flower
    float at;
    float width;
    float count;

    float share(Point q, float r, float soft) const {
        const auto ring = [&](float middle, float half) {
            return smooth_step(half + soft, half - soft, std::abs(r - middle));
        };
        const float angle = std::atan2(q.y, q.x);
        if (kind == 3) return ring(at, width);
        if (kind == 4) return std::max(ring(at, 0.5f * width), ring(at - 0.1f, 0.4f * width));
        if (kind == 5) {
            const float step = 6.2831853f / count;
            const float nearest = step * std::round(angle / step);
            return smooth_step(0.03f + soft, 0.03f - soft, length(q - at * direction(nearest)));
        }
        if (kind == 6) return smooth_step(at - 0.1f - soft, at - 0.1f + soft, r);
        if (kind == 7) {
            const float petal = 0.16f + 0.08f * std::cos(angle * count / 4);
            return 0.8f * smooth_step(0.02f, 0, std::abs(r - petal));
        }
        return 0;
    }
};

Decoration draw_decoration(Rng& rng) {
    Decoration decoration{};
    decoration.paint = pick(rng, paints);
    decoration.kind = static_cast<int>(rng.integer(0, 7));
    decoration.at = draw(rng, 0.85f, 0.94f);
    decoration.width = draw(rng, 0.01f, 0.035f);
    decoration.count = static_cast<float>(rng.integer(4, 9) * 4);
    return decoration;
}

}  // namespace

void paint_dish(Canvas& canvas, const Scene& scene, Rng& rng) {
    paint_shadow(canvas, scene, rng);
    const Noise noise(rng);
    const Colour glaze = pick(rng, glazes);
    const float well = draw(rng, 0.55f, 0.7f);
    const Profile profile{well, well + draw(rng, 0.07f, 0.14f), draw(rng, 0.25f, 0.5f)};
    const Decoration decoration = draw_decoration(rng);
    const float soft = canvas.pixel() / scene.radius;
    const float brightness = draw(rng, 0.82f, 1);
    canvas.paint(scene.centre, scene.radius, [&](Point p, Colour& colour) {
        const Point q = scene.on_plate(p);
        const float r = length(q);
        if (r > 1 + soft) return;
        const Point outwards = r > 0 ? (1 / r) * q : Point{};
        // a wall that rises outwards is lit if it looks towards the light
        const float tilt = -profile.slope(r) * dot(outwards, turned(scene.light, -scene.turn));
        const float across = 0.07f * dot(q, scene.light);
        const float uneven = 0.02f * (noise.at(q.x * 2, q.y * 2) - 0.5f);
        const Colour painted = mix(glaze, decoration.paint, decoration.share(q, r, soft));
        const Colour lit = brightness * (0.94f + tilt + across + uneven) * painted;
        colour = mix(colour, lit, smooth_step(1 + soft, 1 - soft, r));
    });
}

void paint_reflections(Canvas& canvas, const Scene& scene, Rng& rng) {
    const int windows = static_cast<int>(rng.integer(0, 2));
    for (int i = 0; i < windows; ++i) {
        const float away = draw(rng, 0.2f, 0.85f);
        const Point middle =
            scene.centre + (away * scene.radius) * turned(scene.light, draw(rng, -0.6f, 0.6f));
        const float size = draw(rng, 0.02f, 0.09f);
        const float ratio = draw(rng, 0.4f, 1);
        const float turn = draw(rng, 0, 3.14f);
        const float strength = draw(rng, 0.15f, 0.6f);
        canvas.paint(middle, 2 * size, [&](Point p, Colour& colour) {
            if (length(scene.on_plate(p)) > 0.97f) return;
            const Point q = turned(p - middle, turn);
            const float edge = std::max(std::abs(q.x), std::abs(q.y) / ratio) / size;
            colour = mix(colour, {1, 1, 1}, strength * smooth_step(1.4f, 0.6f, edge));
        });
    }
}

}  // namespace lanes::plates
