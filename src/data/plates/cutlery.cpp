// Knife, fork and spoon: each is a set of round strokes of polished metal.
#include "scene.hpp"

namespace lanes::plates {

namespace {

struct Stroke {
    Point from;
    Point to;
    float width_from;  // half of it
    float width_to;
};

// Distance to the middle line in units of the half width: 1 at the edge. side: from -1 to 1 across.
struct Place {
    float distance;
    float side;
};

Place place_on(const Stroke& stroke, Point p) {
    const Point along = stroke.to - stroke.from;
    const float t = std::clamp(dot(p - stroke.from, along) / dot(along, along), 0.0f, 1.0f);
    const float width = stroke.width_from + t * (stroke.width_to - stroke.width_from);
    const Point away = p - stroke.from - t * along;
    const float across = (away.x * along.y - away.y * along.x) / length(along);
    return {length(away) / width, across / width};
}

void paint_stroke(Canvas& canvas, const Scene& scene, const Stroke& stroke, Colour metal) {
    const Point middle = 0.5f * (stroke.from + stroke.to);
    const float radius = 0.5f * length(stroke.to - stroke.from) + 0.06f;
    const Point offset = -0.012f * scene.light;
    canvas.paint(middle, radius, [&](Point p, Colour& colour) {
        const float shadow = place_on(stroke, p - offset).distance;
        colour = (1 - 0.45f * smooth_step(1.5f, 0.7f, shadow)) * colour;
    });
    const float soft = canvas.pixel() / std::min(stroke.width_from, stroke.width_to);
    canvas.paint(middle, radius, [&](Point p, Colour& colour) {
        const Place place = place_on(stroke, p);
        if (place.distance > 1 + soft) return;
        const float shine = 0.5f + 0.5f * std::sin(place.side * 2.5f + scene.light.x * 2);
        const Colour lit = (0.55f + 0.6f * shine * shine) * metal;
        colour = mix(colour, lit, smooth_step(1 + soft, 1 - soft, place.distance));
    });
}

// Along the axis from the handle's end (0) to the tip (1).
std::vector<Stroke> parts_of(int kind, Point handle, Point axis) {
    const Point side{-axis.y, axis.x};
    const float scale = length(axis) / 0.75f;
    const auto at = [&](float t, float across) { return handle + t * axis + across * side; };
    std::vector<Stroke> parts{{at(0, 0), at(0.6f, 0), 0.013f * scale, 0.007f * scale}};
    if (kind == 0) {  // knife
        parts.push_back({at(0.6f, 0), at(1, 0), 0.014f * scale, 0.010f * scale});
    } else if (kind == 1) {  // fork
        parts.push_back({at(0.6f, 0), at(0.72f, 0), 0.007f * scale, 0.024f * scale});
        for (int prong = -1; prong <= 2; ++prong) {
            const float across = 0.024f * (static_cast<float>(prong) - 0.5f);
            parts.push_back({at(0.72f, across), at(1, across), 0.005f * scale, 0.0035f * scale});
        }
    } else {  // spoon
        parts.push_back({at(0.78f, 0), at(0.92f, 0), 0.030f * scale, 0.026f * scale});
    }
    return parts;
}

}  // namespace

void paint_cutlery(Canvas& canvas, const Scene& scene, Rng& rng) {
    const int pieces = happens(rng, 0.35) ? 0 : static_cast<int>(rng.integer(1, 3));
    const float lean = draw(rng, -0.3f, 0.3f);
    const float grey = draw(rng, 0.6f, 0.85f);
    const Colour metal{grey, grey, grey * draw(rng, 0.92f, 1.04f)};
    for (int piece = 0; piece < pieces; ++piece) {
        const int kind = static_cast<int>(rng.integer(0, 2));
        const float side = piece % 2 == 0 ? 1.0f : -1.0f;
        const float away = scene.radius + draw(rng, 0.035f, 0.12f) + (piece == 2 ? 0.06f : 0);
        const Point axis = turned({0, -draw(rng, 0.6f, 0.85f)}, lean + draw(rng, -0.08f, 0.08f));
        const Point middle = scene.centre + turned({side * away, draw(rng, -0.05f, 0.05f)}, lean);
        for (const Stroke& part : parts_of(kind, middle - 0.5f * axis, axis))
            paint_stroke(canvas, scene, part, metal);
    }
}

}  // namespace lanes::plates
