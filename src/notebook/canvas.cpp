// The only file that names Cairo. It is opened at the first picture and never closed: a session
// that shows none does not pay for it, and a machine without it shows text. The few functions that
// are used are declared here, so that no header of Cairo is needed to build the library.
#include "canvas.hpp"

#include "text.hpp"

#include "lanes/base/error.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lanes::notebook {

namespace {

using SurfaceHandle = struct OpaqueSurface*;
using Context = struct OpaqueContext*;
using Pattern = struct OpaquePattern*;
using FontOptions = struct OpaqueFontOptions*;

struct TextExtents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
};

// Numbers of cairo.h.
constexpr int format_rgb24 = 1, antialias_gray = 2, hint_none = 1, metrics_off = 1,
              filter_nearest = 3, filter_good = 1, butt_cap = 0, round_cap = 1, round_join = 1,
              bold = 1;

struct Functions {
    SurfaceHandle (*surface)(int format, int width, int height) = nullptr;
    SurfaceHandle (*surface_for_data)(unsigned char* data, int format, int width, int height,
                                      int stride) = nullptr;
    unsigned char* (*data)(SurfaceHandle) = nullptr;
    int (*stride)(SurfaceHandle) = nullptr;
    void (*flush)(SurfaceHandle) = nullptr;
    void (*destroy_surface)(SurfaceHandle) = nullptr;
    Context (*create)(SurfaceHandle) = nullptr;
    void (*destroy)(Context) = nullptr;
    int (*status)(Context) = nullptr;
    void (*save)(Context) = nullptr;
    void (*restore)(Context) = nullptr;
    void (*scale)(Context, double, double) = nullptr;
    void (*translate)(Context, double, double) = nullptr;
    void (*rotate)(Context, double) = nullptr;
    void (*color)(Context, double, double, double, double) = nullptr;
    void (*source_surface)(Context, SurfaceHandle, double, double) = nullptr;
    Pattern (*source)(Context) = nullptr;
    void (*filter)(Pattern, int) = nullptr;
    void (*paint)(Context) = nullptr;
    void (*move_to)(Context, double, double) = nullptr;
    void (*line_to)(Context, double, double) = nullptr;
    void (*arc)(Context, double, double, double, double, double) = nullptr;
    void (*rectangle)(Context, double, double, double, double) = nullptr;
    void (*close_path)(Context) = nullptr;
    void (*new_path)(Context) = nullptr;
    void (*fill_preserve)(Context) = nullptr;
    void (*stroke)(Context) = nullptr;
    void (*clip)(Context) = nullptr;
    void (*line_width)(Context, double) = nullptr;
    void (*line_cap)(Context, int) = nullptr;
    void (*line_join)(Context, int) = nullptr;
    void (*dash)(Context, const double*, int, double) = nullptr;
    void (*font_face)(Context, const char*, int slant, int weight) = nullptr;
    void (*font_size)(Context, double) = nullptr;
    void (*show_text)(Context, const char*) = nullptr;
    void (*text_extents)(Context, const char*, TextExtents*) = nullptr;
    FontOptions (*font_options)() = nullptr;
    void (*destroy_font_options)(FontOptions) = nullptr;
    void (*font_antialias)(FontOptions, int) = nullptr;
    void (*font_hint_style)(FontOptions, int) = nullptr;
    void (*font_hint_metrics)(FontOptions, int) = nullptr;
    void (*use_font_options)(Context, FontOptions) = nullptr;
    bool complete = false;
};

Functions load() {
    Functions cairo;
    void* library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return cairo;
    bool all = true;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        all = all && function;
    };
    find(cairo.surface, "cairo_image_surface_create");
    find(cairo.surface_for_data, "cairo_image_surface_create_for_data");
    find(cairo.data, "cairo_image_surface_get_data");
    find(cairo.stride, "cairo_image_surface_get_stride");
    find(cairo.flush, "cairo_surface_flush");
    find(cairo.destroy_surface, "cairo_surface_destroy");
    find(cairo.create, "cairo_create");
    find(cairo.destroy, "cairo_destroy");
    find(cairo.status, "cairo_status");
    find(cairo.save, "cairo_save");
    find(cairo.restore, "cairo_restore");
    find(cairo.scale, "cairo_scale");
    find(cairo.translate, "cairo_translate");
    find(cairo.rotate, "cairo_rotate");
    find(cairo.color, "cairo_set_source_rgba");
    find(cairo.source_surface, "cairo_set_source_surface");
    find(cairo.source, "cairo_get_source");
    find(cairo.filter, "cairo_pattern_set_filter");
    find(cairo.paint, "cairo_paint");
    find(cairo.move_to, "cairo_move_to");
    find(cairo.line_to, "cairo_line_to");
    find(cairo.arc, "cairo_arc");
    find(cairo.rectangle, "cairo_rectangle");
    find(cairo.close_path, "cairo_close_path");
    find(cairo.new_path, "cairo_new_path");
    find(cairo.fill_preserve, "cairo_fill_preserve");
    find(cairo.stroke, "cairo_stroke");
    find(cairo.clip, "cairo_clip");
    find(cairo.line_width, "cairo_set_line_width");
    find(cairo.line_cap, "cairo_set_line_cap");
    find(cairo.line_join, "cairo_set_line_join");
    find(cairo.dash, "cairo_set_dash");
    find(cairo.font_face, "cairo_select_font_face");
    find(cairo.font_size, "cairo_set_font_size");
    find(cairo.show_text, "cairo_show_text");
    find(cairo.text_extents, "cairo_text_extents");
    find(cairo.font_options, "cairo_font_options_create");
    find(cairo.destroy_font_options, "cairo_font_options_destroy");
    find(cairo.font_antialias, "cairo_font_options_set_antialias");
    find(cairo.font_hint_style, "cairo_font_options_set_hint_style");
    find(cairo.font_hint_metrics, "cairo_font_options_set_hint_metrics");
    find(cairo.use_font_options, "cairo_set_font_options");
    cairo.complete = all;
    return cairo;
}

const Functions& cairo() {
    static const Functions loaded = load();
    return loaded;
}

// A text falls into runs on the line, below it (_{…}) and above it (^{…}).
struct Run {
    std::string text;
    int level = 0;
};

std::vector<Run> runs_of(const std::string& given) {
    const std::string text = valid_utf8(given);  // on others Cairo stops for good
    std::vector<Run> runs;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t below = text.find("_{", begin), above = text.find("^{", begin),
                          open = std::min(below, above);
        const std::size_t close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos) break;
        if (open > begin) runs.push_back({text.substr(begin, open - begin), 0});
        runs.push_back({text.substr(open + 2, close - open - 2), open == below ? -1 : 1});
        begin = close + 1;
    }
    if (begin < text.size()) runs.push_back({text.substr(begin), 0});
    return runs;
}

double size_of(const Run& run, const Font& font) {
    return run.level == 0 ? font.size : 0.72 * font.size;
}

}  // namespace

struct Canvas::Surface {
    int width, height;  // in pixels of the file
    SurfaceHandle handle;
    Context context;

    Surface(int width, int height)
        : width(width),
          height(height),
          handle(cairo().surface(format_rgb24, width, height)),
          context(cairo().create(handle)) {}
    ~Surface() {
        cairo().destroy(context);
        cairo().destroy_surface(handle);
    }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    void use(const Color& color) const {
        cairo().color(context, color.red, color.green, color.blue, color.alpha);
    }

    void use(const Font& font, double size) const {
        cairo().font_face(context, "DejaVu Sans", 0, font.bold ? bold : 0);
        cairo().font_size(context, size);
    }

    double advance(const std::string& text) const {
        TextExtents extents{};
        cairo().text_extents(context, text.c_str(), &extents);
        return extents.x_advance;
    }

    template <class Use>
    double walk(const std::string& text, const Font& font, Use use) const;

    // The path that was made, and nothing of it is left.
    void draw(const Paint& paint) const {
        if (paint.fill.alpha > 0) {
            use(paint.fill);
            cairo().fill_preserve(context);
        }
        if (paint.stroke.alpha > 0 && paint.width > 0) {
            const double dashes[] = {5, 4};
            use(paint.stroke);
            cairo().line_width(context, paint.width);
            cairo().dash(context, dashes, paint.dashed ? 2 : 0, 0);
            cairo().line_cap(context, paint.dashed ? butt_cap : round_cap);
            cairo().stroke(context);
        }
        cairo().new_path(context);
    }
};

bool Canvas::available() { return cairo().complete; }

Canvas::Canvas(int width, int height, double scale) {
    LANES_REQUIRE(available(),
                  "picture: this machine has no Cairo. Install the package libcairo2.");
    surface_ = std::make_unique<Surface>(static_cast<int>(std::lround(width * scale)),
                                         static_cast<int>(std::lround(height * scale)));
    const Context context = surface_->context;
    cairo().scale(context, scale, scale);
    surface_->use(white);
    cairo().paint(context);
    cairo().line_cap(context, round_cap);
    cairo().line_join(context, round_join);
    const FontOptions options = cairo().font_options();
    cairo().font_antialias(
        options, antialias_gray);  // colours at the edges would be those of one kind of screen
    cairo().font_hint_style(options, hint_none);
    cairo().font_hint_metrics(options, metrics_off);
    cairo().use_font_options(context, options);
    cairo().destroy_font_options(options);
}

Canvas::~Canvas() = default;

void Canvas::rectangle(double x, double y, double width, double height, const Paint& paint) {
    cairo().rectangle(surface_->context, x, y, width, height);
    surface_->draw(paint);
}

void Canvas::circle(double x, double y, double radius, const Paint& paint) {
    cairo().arc(surface_->context, x, y, radius, 0, 2 * M_PI);
    cairo().close_path(surface_->context);
    surface_->draw(paint);
}

void Canvas::polyline(const std::vector<Point>& points, bool closed, const Paint& paint) {
    for (std::size_t i = 0; i < points.size(); ++i)
        (i == 0 ? cairo().move_to : cairo().line_to)(surface_->context, points[i].x, points[i].y);
    if (closed) cairo().close_path(surface_->context);
    surface_->draw(paint);
}

// Calls use(run, x) for each run of a text that begins at x = 0; returns where it ends.
template <class Use>
double Canvas::Surface::walk(const std::string& text, const Font& font, Use use) const {
    double at = 0, begin = 0;
    int before = 0;
    for (const Run& run : runs_of(text)) {
        this->use(font, size_of(run, font));
        const double width = advance(run.text);
        const bool above_each_other = run.level * before < 0;
        if (!above_each_other) begin = at;
        use(run, begin);
        at = std::max(at, begin + width);
        before = above_each_other ? 0 : run.level;
    }
    return at;
}

double Canvas::text_width(const std::string& text, const Font& font) {
    return surface_->walk(text, font, [](const Run&, double) {});
}

Font Canvas::fitting(Font font, const std::string& text, double room) {
    const double width = text_width(text, font);
    if (width > room) font.size = std::max(7.0, font.size * room / width);
    return font;
}

void Canvas::text(double x, double y, const std::string& text, const Font& font) {
    const double width = text_width(text, font), begin = font.align == Align::left    ? 0
                                                         : font.align == Align::right ? -width
                                                                                      : -width / 2;
    const Context context = surface_->context;
    cairo().save(context);
    cairo().translate(context, x, y);
    cairo().rotate(context, -font.slant * M_PI / 180);
    surface_->use(font.color);
    surface_->walk(text, font, [&](const Run& run, double at) {
        cairo().move_to(
            context, begin + at,
            font.size * (0.36 - (run.level > 0   ? 0.45
                                 : run.level < 0 ? -0.25
                                                 : 0)));  // 0.36: half the height of a capital
        cairo().show_text(context, run.text.c_str());
    });
    cairo().new_path(context);
    cairo().restore(context);
}

void Canvas::image(double x, double y, double width, double height, const Pixels& pixels,
                   bool smooth) {
    std::vector<std::uint32_t> words(pixels.width * pixels.height);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const unsigned char* pixel = &pixels.bytes[i * pixels.channels];
        const std::uint32_t red = pixel[0], green = pixels.channels == 1 ? red : pixel[1],
                            blue = pixels.channels == 1 ? red : pixel[2];
        words[i] = red << 16 | green << 8 | blue;
    }
    const Context context = surface_->context;
    const SurfaceHandle source =
        cairo().surface_for_data(reinterpret_cast<unsigned char*>(words.data()), format_rgb24,
                                 static_cast<int>(pixels.width), static_cast<int>(pixels.height),
                                 static_cast<int>(pixels.width * 4));
    cairo().save(context);
    cairo().translate(context, x, y);
    cairo().scale(context, width / static_cast<double>(pixels.width),
                  height / static_cast<double>(pixels.height));
    cairo().rectangle(context, 0, 0, static_cast<double>(pixels.width),
                      static_cast<double>(pixels.height));
    cairo().clip(context);
    cairo().source_surface(context, source, 0, 0);
    cairo().filter(cairo().source(context), smooth ? filter_good : filter_nearest);
    cairo().paint(context);
    cairo().restore(context);
    cairo().destroy_surface(source);
}

void Canvas::clip(double x, double y, double width, double height) {
    cairo().save(surface_->context);
    cairo().rectangle(surface_->context, x, y, width, height);
    cairo().clip(surface_->context);
}

void Canvas::unclip() { cairo().restore(surface_->context); }

std::string Canvas::png() const {
    const int status = cairo().status(surface_->context);
    LANES_REQUIRE(status == 0, "picture: Cairo could not draw it (status ", status,
                  "). Is memory full?");
    cairo().flush(surface_->handle);
    const unsigned char* data = cairo().data(surface_->handle);
    const auto stride = static_cast<std::size_t>(cairo().stride(surface_->handle));
    Pixels pixels(static_cast<std::size_t>(surface_->width),
                  static_cast<std::size_t>(surface_->height), 3);
    for (std::size_t y = 0; y < pixels.height; ++y) {
        const auto* row = reinterpret_cast<const std::uint32_t*>(data + y * stride);
        for (std::size_t x = 0; x < pixels.width; ++x) {
            unsigned char* pixel = pixels.at(x, y);
            for (int channel = 0; channel < 3; ++channel)
                pixel[channel] = static_cast<unsigned char>(row[x] >> (16 - 8 * channel) & 255);
        }
    }
    return png_with_palette(pixels);
}

}  // namespace lanes::notebook
