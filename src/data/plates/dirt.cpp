// What is left after a meal: sauce, smears, stains, crumbs and bits of food.
#include "scene.hpp"

namespace lanes::plates {

namespace {

constexpr std::array<Colour, 9> foods{{{0.66f, 0.20f, 0.10f},    // tomato
                                       {0.38f, 0.22f, 0.11f},    // gravy
                                       {0.80f, 0.62f, 0.18f},    // mustard
                                       {0.28f, 0.36f, 0.13f},    // herbs
                                       {0.78f, 0.70f, 0.54f},    // cream
                                       {0.22f, 0.12f, 0.08f},    // chocolate
                                       {0.74f, 0.42f, 0.16f},    // curry
                                       {0.56f, 0.40f, 0.22f},    // bread
                                       {0.44f, 0.08f, 0.14f}}};  // berries

// Inside the plate, more often near its middle.
Point draw_place(const Scene& scene, Rng& rng, float limit) {
    const float r = limit * std::sqrt(draw(rng, 0, 1));
    const Point q = r * direction(draw(rng, 0, 6.28f));
    return scene.centre +
           turned({q.x * scene.radius, q.y * scene.radius * scene.aspect}, scene.turn);
}

float on_glaze(const Scene& scene, Point p) {
    return smooth_step(0.99f, 0.96f, length(scene.on_plate(p)));
}

// An irregular spot with a shining surface.
void paint_sauce(Canvas& canvas, const Scene& scene, Rng& rng) {
    const Noise noise(rng);
    const Colour food = pick(rng, foods);
    const Point middle = draw_place(scene, rng, 0.6f);
    const float size = scene.radius * draw(rng, 0.12f, 0.55f);
    const float frequency = draw(rng, 4, 12) / 0.3f;
    const float cover = draw(rng, 0.6f, 0.97f);
    const float holes = draw(rng, 0, 0.6f);
    canvas.paint(middle, 1.5f * size, [&](Point p, Colour& colour) {
        const float r = length(p - middle) / size;
        const float rough = noise.rough(p.x * frequency, p.y * frequency);
        const float inside = smooth_step(0.08f, -0.04f, r - 1.1f + 1.1f * (rough - 0.35f));
        const float gaps = 1 - holes * smooth_step(0.45f, 0.6f, noise.at(p.x * 50, p.y * 50 + 9));
        const float light =
            0.8f + 0.5f * (rough - noise.rough((p.x + 0.01f * scene.light.x) * frequency,
                                               (p.y + 0.01f * scene.light.y) * frequency));
        const float thick = 0.85f + 0.4f * noise.at(p.x * 20, p.y * 20);
        colour = mix(colour, light * thick * food, cover * gaps * inside * on_glaze(scene, p));
    });
}

// Streaks along an arc, as a fork or a piece of bread leaves them.
void paint_smear(Canvas& canvas, const Scene& scene, Rng& rng) {
    const Noise noise(rng);
    const Colour food = pick(rng, foods);
    const Point pivot = draw_place(scene, rng, 1.2f);
    const Point through = draw_place(scene, rng, 0.7f);
    const float radius = std::max(0.05f, length(through - pivot));
    const float width = scene.radius * draw(rng, 0.06f, 0.28f);
    const float reach = draw(rng, 0.3f, 1.1f);  // half of the arc, radians
    const Point start = through - pivot;
    const float cover = draw(rng, 0.35f, 0.85f);
    canvas.paint(pivot, radius + width, [&](Point p, Colour& colour) {
        const Point q = p - pivot;
        const float r = length(q);
        const float across = std::abs(r - radius) / width;
        if (across > 1) return;
        const float angle =
            std::atan2(q.x * start.y - q.y * start.x, q.x * start.x + q.y * start.y);
        const float along = std::abs(angle) / reach;
        if (along > 1) return;
        const float streaks = smooth_step(0.35f, 0.7f, noise.at(r * 90, angle * 3 + 7));
        const float share = streaks * smooth_step(1, 0.6f, across) * smooth_step(1, 0.4f, along);
        colour = mix(colour, food, cover * share * on_glaze(scene, p));
    });
}

// A thin film with a darker border, where liquid has dried.
void paint_stain(Canvas& canvas, const Scene& scene, Rng& rng) {
    const Noise noise(rng);
    const Colour food = pick(rng, foods);
    const Point middle = draw_place(scene, rng, 0.7f);
    const float size = scene.radius * draw(rng, 0.08f, 0.35f);
    const float cover = draw(rng, 0.12f, 0.4f);
    canvas.paint(middle, 1.4f * size, [&](Point p, Colour& colour) {
        const float uneven = 0.35f * (noise.rough(p.x * 15, p.y * 15) - 0.5f);
        const float r = length(p - middle) / size + uneven;
        const float film = smooth_step(1.03f, 0.97f, r);
        const float border = smooth_step(0.12f, 0, std::abs(r - 0.95f));
        colour = mix(colour, food, (cover * film + 0.5f * cover * border) * on_glaze(scene, p));
    });
}

// A lump with a lit and a dark side, and a shadow.
void paint_lump(Canvas& canvas, const Scene& scene, Point middle, float size, Colour food,
                const Noise& noise) {
    const Point offset = -0.5f * size * scene.light;
    canvas.paint(middle, 3 * size, [&](Point p, Colour& colour) {
        const float shadow = length(p - middle - offset) / size;
        colour = (1 - 0.4f * smooth_step(1.5f, 0.6f, shadow)) * colour;
    });
    const float soft = std::min(0.6f, canvas.pixel() / size);
    const float shift = middle.x * 91 + middle.y * 57;
    canvas.paint(middle, 1.6f * size, [&](Point p, Colour& colour) {
        const Point q = (1 / size) * (p - middle);
        const float r = length(q) + 0.9f * (noise.at(q.x + shift, q.y + shift) - 0.5f);
        const float light = 0.85f + 0.3f * dot(q, scene.light);
        colour = mix(colour, light * food, smooth_step(1 + soft, 1 - soft, r));
    });
}

void paint_crumbs(Canvas& canvas, const Scene& scene, Rng& rng) {
    const Noise noise(rng);
    const Colour food = pick(rng, foods);
    const auto count = static_cast<int>(rng.integer(6, 45));
    const float largest = draw(rng, 0.006f, 0.016f);
    const Point heap = draw_place(scene, rng, 0.5f);
    const float spread = draw(rng, 0.2f, 1);
    for (int i = 0; i < count; ++i) {
        const Point anywhere = draw_place(scene, rng, 0.85f);
        const Point place = heap + spread * (anywhere - heap);
        const float size = draw(rng, 0.3f * largest, largest);
        paint_lump(canvas, scene, place, size, draw(rng, 0.7f, 1.15f) * food, noise);
    }
}

void paint_leftovers(Canvas& canvas, const Scene& scene, Rng& rng) {
    const Noise noise(rng);
    const auto count = static_cast<int>(rng.integer(1, 4));
    for (int i = 0; i < count; ++i) {
        const Colour food = pick(rng, foods);
        const Point place = draw_place(scene, rng, 0.7f);
        const float size = draw(rng, 0.015f, 0.05f);
        paint_lump(canvas, scene, place, size, food, noise);
    }
}

}  // namespace

void paint_dirt(Canvas& canvas, const Scene& scene, Rng& rng) {
    using Paint = void (*)(Canvas&, const Scene&, Rng&);
    constexpr std::array<Paint, 5> kinds{paint_stain, paint_smear, paint_sauce, paint_crumbs,
                                         paint_leftovers};
    const auto layers = rng.integer(1, 5);
    for (int i = 0; i < layers; ++i) pick(rng, kinds)(canvas, scene, rng);
}

void paint_crumbs_on_table(Canvas& canvas, const Scene& scene, Rng& rng) {
    if (!happens(rng, 0.4)) return;
    const Noise noise(rng);
    const Colour food = pick(rng, foods);
    const auto count = static_cast<int>(rng.integer(2, 15));
    for (int i = 0; i < count; ++i) {
        const Point place{draw(rng, 0, 1), draw(rng, 0, 1)};
        const float size = draw(rng, 0.003f, 0.01f);
        if (length(scene.on_plate(place)) > 1.08f)
            paint_lump(canvas, scene, place, size, food, noise);
    }
}

}  // namespace lanes::plates
