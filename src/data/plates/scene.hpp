// The parts of a picture, in the order in which they are painted.
#pragma once

#include "canvas.hpp"

namespace lanes::plates {

// What all parts of one picture have in common.
struct Scene {
    Point centre;  // of the plate
    float radius = 0;
    float aspect = 1;       // height by width: below 1 if the camera looks from the side
    float turn = 0;         // of the ellipse, radians
    Point light;            // direction that light comes from, of length 1
    float hardness = 0.5f;  // of shadows, 0 to 1

    // In units of the radius: length 1 is the edge of the plate.
    Point on_plate(Point p) const {
        const Point q = turned(p - centre, -turn);
        return {q.x / radius, q.y / (radius * aspect)};
    }
};

Scene draw_scene(Rng& rng);
void paint_table(Canvas& canvas, const Scene& scene, Rng& rng);
void paint_cutlery(Canvas& canvas, const Scene& scene, Rng& rng);
void paint_dish(Canvas& canvas, const Scene& scene, Rng& rng);
void paint_dirt(Canvas& canvas, const Scene& scene, Rng& rng);
void paint_reflections(Canvas& canvas, const Scene& scene, Rng& rng);
void paint_crumbs_on_table(Canvas& canvas, const Scene& scene, Rng& rng);
// White balance, exposure, vignette and noise of a camera.
void photograph(Canvas& canvas, Rng& rng);

}  // namespace lanes::plates
