// Pictures, sound, films, and a place for what is printed.
//
//   #include <iostream>
//   xw::image picture = xw::image_from_file("cat.png").finalize();
//   picture.value = xw::read_file("dog.png");
//   xw::output out;
//   {
//       auto guard = out.guard();
//       std::cout << "inside the widget\n";
//   }
#pragma once

#include "xcpp/widgets/layout.hpp"

namespace xw {

template <class D>
class xmedia : public xwidget<D> {
public:
    detail::Property<std::vector<char>, D> value{this, "value"};  // the bytes of a file
    detail::Property<std::string, D> format{this, "format"};

protected:
    xmedia(detail::Kind kind, const char* word, const char* format_name)
        : xwidget<D>(kind), word_(word) {
        format() = format_name;
    }

private:
    std::string plain_text() const override;
    bool is_silent() const override { return true; }

    const char* word_;  // what it is, for its text
};

template <class D>
class ximage : public xmedia<D> {
public:
    detail::Property<std::string, D> width{this, "width"};  // in pixels
    detail::Property<std::string, D> height{this, "height"};

protected:
    ximage() : xmedia<D>({"ImageModel", "ImageView"}, "image", "png") {}
};
using image = xmaterialize<ximage>;

template <class D>
class xaudio : public xmedia<D> {
public:
    detail::Property<bool, D> autoplay{this, "autoplay", true};
    detail::Property<bool, D> loop{this, "loop", true};
    detail::Property<bool, D> controls{this, "controls", true};

protected:
    xaudio() : xmedia<D>({"AudioModel", "AudioView"}, "audio", "mp3") {}
};
using audio = xmaterialize<xaudio>;

template <class D>
class xvideo : public xmedia<D> {
public:
    detail::Property<std::string, D> width{this, "width"};  // in pixels
    detail::Property<std::string, D> height{this, "height"};
    detail::Property<bool, D> autoplay{this, "autoplay", true};
    detail::Property<bool, D> loop{this, "loop", true};
    detail::Property<bool, D> controls{this, "controls", true};

protected:
    xvideo() : xmedia<D>({"VideoModel", "VideoView"}, "video", "mp4") {}
};
using video = xmaterialize<xvideo>;

std::vector<char> read_file(const std::string& filename);  // throws std::runtime_error
// The format follows from the file's name. Call finalize() to use the widget.
image image_from_file(const std::string& filename);
image image_from_url(const std::string& url);
audio audio_from_file(const std::string& filename);
audio audio_from_url(const std::string& url);
video video_from_file(const std::string& filename);
video video_from_url(const std::string& url);

namespace detail {

// While it exists, what is shown appears in the output widget of this id.
class OutputGuard {
public:
    explicit OutputGuard(const std::string& id);
    ~OutputGuard();
    OutputGuard(OutputGuard&& other) noexcept
        : before_(std::move(other.before_)), active_(std::exchange(other.active_, false)) {}
    OutputGuard(const OutputGuard&) = delete;
    OutputGuard& operator=(const OutputGuard&) = delete;

private:
    std::string before_;
    bool active_ = true;
};

}  // namespace detail

template <class D>
class xoutput : public xwidget<D> {
public:
    // From now on, what the cell or the observer shows appears in the widget, until release() or
    // the end of the cell.
    void capture();
    void release();
    // The same, until the guard is destroyed.
    detail::OutputGuard guard() const { return detail::OutputGuard(this->id()); }

protected:
    xoutput() : xwidget<D>({"OutputModel", "OutputView", "@jupyter-widgets/output"}) {}

private:
    // What the front end has collected, as it wrote it: a page that is reloaded shows it again.
    class Outputs : public detail::PropertyBase {
    public:
        explicit Outputs(detail::Model* owner) : PropertyBase(owner, "outputs") {}
        Outputs(const Outputs& other) noexcept : PropertyBase(other) {}
        Outputs& operator=(const Outputs&) noexcept { return *this; }

    private:
        std::string encode() const override { return json_; }
        bool take(std::string_view json) override {
            json_ = json;
            return true;
        }
        std::string json_ = "[]";
    };

    std::string plain_text() const override { return "output area"; }
    bool is_silent() const override { return true; }

    Outputs outputs_{this};
};
using output = xmaterialize<xoutput>;

// Keeps two properties of two widgets equal, in the front end: xw::link(a, "value", b, "value").
namespace detail {

class Ends : public PropertyBase {
public:
    Ends(Model* owner, const char* name) : PropertyBase(owner, name) {}
    Ends(Model* owner, const char* name, const Model& widget, const std::string& property);

private:
    std::string encode() const override { return json_; }
    bool take(std::string_view) override { return true; }
    std::string json_ = "null";
};

}  // namespace detail

template <class D>
class xlink : public detail::Observed<D> {
protected:
    xlink() : detail::Observed<D>({"LinkModel", ""}) {}
    xlink(const detail::Model& source, const std::string& source_property,
          const detail::Model& target, const std::string& target_property,
          const char* model = "LinkModel");

private:
    std::string plain_text() const override { return "link"; }
    bool is_silent() const override { return true; }

    detail::Ends source_{this, "source"}, target_{this, "target"};
};
using link = xmaterialize<xlink>;

template <class D>
class xdirectional_link : public xlink<D> {
protected:
    xdirectional_link() = default;
    xdirectional_link(const detail::Model& source, const std::string& source_property,
                      const detail::Model& target, const std::string& target_property)
        : xlink<D>(source, source_property, target, target_property, "DirectionalLinkModel") {}
};
using directional_link = xmaterialize<xdirectional_link>;

}  // namespace xw
