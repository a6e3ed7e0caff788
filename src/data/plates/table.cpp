#include "scene.hpp"

namespace lanes::plates {

namespace {

constexpr std::array<Colour, 7> woods{{{0.55f, 0.37f, 0.22f},
                                       {0.71f, 0.53f, 0.34f},
                                       {0.35f, 0.22f, 0.14f},
                                       {0.80f, 0.66f, 0.48f},
                                       {0.45f, 0.31f, 0.22f},
                                       {0.62f, 0.58f, 0.52f},
                                       {0.25f, 0.18f, 0.14f}}};
constexpr std::array<Colour, 8> cloths{{{0.85f, 0.84f, 0.80f},
                                        {0.30f, 0.38f, 0.52f},
                                        {0.52f, 0.16f, 0.17f},
                                        {0.28f, 0.42f, 0.33f},
                                        {0.75f, 0.69f, 0.56f},
                                        {0.22f, 0.22f, 0.24f},
                                        {0.68f, 0.72f, 0.78f},
                                        {0.82f, 0.70f, 0.36f}}};
constexpr std::array<Colour, 5> stones{{{0.62f, 0.62f, 0.62f},
                                        {0.20f, 0.20f, 0.21f},
                                        {0.88f, 0.87f, 0.86f},
                                        {0.45f, 0.44f, 0.42f},
                                        {0.74f, 0.68f, 0.62f}}};

void paint_wood(Canvas& canvas, Rng& rng) {
    const Noise noise(rng);
    const Colour base = pick(rng, woods);
    const float angle = draw(rng, 0, 3.14f);
    const float boards = draw(rng, 2, 6);
    const float grain = draw(rng, 0.15f, 0.4f);
    canvas.paint_all([&](Point p, Colour& colour) {
        const Point q = turned(p, angle);
        const float board = std::floor(q.y * boards + 100);
        const float fibre = noise.rough(q.x * 3 + board * 7, q.y * 60);
        const float wave = noise.at(q.x * 2 + board * 3, q.y * 14);
        const float gap = std::abs(q.y * boards + 100 - board - 0.5f) > 0.485f ? 0.55f : 1.0f;
        const float own = 0.9f + 0.2f * noise.at(board * 5.3f, 0.5f);  // of each board
        colour = own * gap * (1 + grain * (fibre + wave - 1)) * base;
    });
}

void paint_cloth(Canvas& canvas, Rng& rng) {
    const Noise noise(rng);
    const Colour base = pick(rng, cloths);
    const Colour second = mix(base, pick(rng, cloths), 0.6f);
    const float angle = draw(rng, 0, 3.14f);
    const float stripes = draw(rng, 4, 14);
    const float weave = draw(rng, 0.02f, 0.08f);
    const int pattern = static_cast<int>(rng.integer(0, 3));  // 0, 1: plain, 2: stripes, 3: checks
    canvas.paint_all([&](Point p, Colour& colour) {
        const Point q = turned(p, angle);
        const float threads = std::sin(q.x * 500) * std::sin(q.y * 500);
        const float folds = noise.at(q.x * 3, q.y * 3) - 0.5f;
        float share = 0;
        if (pattern >= 2) share += std::sin(q.x * stripes * 6.28f) > 0.2f ? 0.5f : 0.0f;
        if (pattern == 3) share += std::sin(q.y * stripes * 6.28f) > 0.2f ? 0.5f : 0.0f;
        colour = (1 + weave * threads + 0.15f * folds) * mix(base, second, share);
    });
}

void paint_stone(Canvas& canvas, Rng& rng) {
    const Noise noise(rng);
    const Colour base = pick(rng, stones);
    const float size = draw(rng, 4, 40);
    const float contrast = draw(rng, 0.05f, 0.35f);
    canvas.paint_all([&](Point p, Colour& colour) {
        const float vein = std::abs(noise.rough(p.x * 5, p.y * 5) - 0.5f);
        colour = (1 + contrast * (noise.rough(p.x * size, p.y * size) - 0.5f) -
                  0.3f * contrast * smooth_step(0.03f, 0, vein)) *
                 base;
    });
}

}  // namespace

Scene draw_scene(Rng& rng) {
    Scene scene;
    scene.radius = draw(rng, 0.30f, 0.46f);
    scene.centre = {0.5f + draw(rng, -0.09f, 0.09f), 0.5f + draw(rng, -0.09f, 0.09f)};
    scene.aspect = happens(rng, 0.5) ? draw(rng, 0.96f, 1) : draw(rng, 0.8f, 0.96f);
    scene.turn = draw(rng, -0.4f, 0.4f);
    scene.light = direction(draw(rng, 0, 6.28f));
    scene.hardness = draw(rng, 0, 1);
    return scene;
}

void paint_table(Canvas& canvas, const Scene& scene, Rng& rng) {
    const double kind = rng.uniform();
    if (kind < 0.45)
        paint_wood(canvas, rng);
    else if (kind < 0.75)
        paint_cloth(canvas, rng);
    else
        paint_stone(canvas, rng);
    // brighter on the side of the light
    const float slope = draw(rng, 0.05f, 0.5f);
    canvas.paint_all([&](Point p, Colour& colour) {
        colour = (1 + slope * dot(p - Point{0.5f, 0.5f}, scene.light)) * colour;
    });
}

}  // namespace lanes::plates
