#include "lanes/lesson/resnet_layers.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lanes {

namespace {

double convolution_flop(double outputs, double channels, double size, double places) {
    return 2 * outputs * channels * size * size * places;
}

std::string equal_or_not(const Tensor& a, const Tensor& b) {
    return max(square(a - b)).item() > 1e-6f ? "differ" : "are equal";
}

}  // namespace

void resnet::im2col_picture() {
    Drawing drawn(660, 290);
    const Style cell{"white"};
    const Style used{"#cfe5f3"};
    Style words;
    words.align = "left";
    for (int i = 0; i < 16; ++i) {
        const int y = i / 4;
        const int x = i % 4;
        const bool in = y < 3 && x > 0;  // the second place
        drawn.rectangle(20 + 40 * x, 60 + 40 * y, 40, 40, in ? used : cell);
        drawn.text(40 + 40 * x, 80 + 40 * y, std::to_string(i));
    }
    for (int row = 0; row < 9; ++row)
        for (int place = 0; place < 4; ++place) {
            const int pixel = (place / 2 + row / 3) * 4 + place % 2 + row % 3;
            const int left = 300 + 50 * place;
            const int top = 36 + 26 * row;
            drawn.rectangle(left, top, 50, 26, place == 1 ? used : cell);
            drawn.text(left + 25, top + 13, std::to_string(pixel));
        }
    drawn.arrow(200, 140, 290, 140).text(20, 30, "4 x 4 pixels, filter 3 x 3", words);
    drawn.text(300, 20, "one column per place of the filter", words);
    drawn.text(510, 140, "one row per coefficient", words);
    drawn.show("16 pixels and their im2col matrix: 9 rows, 4 columns");
}

void resnet::block_picture() {
    Drawing drawn(660, 130);
    const Style box{"#cfe5f3"};
    const Style sum_box{"#fbe3c8"};
    const std::vector<std::string> steps{"conv1", "bn1", "relu", "conv2", "bn2"};
    drawn.text(18, 90, "x").arrow(30, 90, 60, 90);
    for (int i = 0; i < 5; ++i) {
        drawn.rectangle(60 + 95 * i, 72, 72, 36, box);
        drawn.text(96 + 95 * i, 90, steps[static_cast<std::size_t>(i)]);
        drawn.arrow(132 + 95 * i, 90, i < 4 ? 155 + 95 * i : 537, 90);
    }
    drawn.circle(550, 90, 13, sum_box).text(550, 90, "+");
    drawn.lines({{45, 90}, {45, 30}, {550, 30}}).arrow(550, 30, 550, 77);
    drawn.text(300, 18, "the input, unchanged or through downsample");
    drawn.arrow(563, 90, 585, 90).rectangle(585, 72, 44, 36, box);
    drawn.text(607, 90, "relu").arrow(629, 90, 655, 90);
    drawn.show("a residual block: the input goes around two convolutions");
}

double resnet::flop() {
    double sum = convolution_flop(64, 3, 7, 112 * 112);
    for (int stage = 0; stage < 4; ++stage) {
        const double width = 64 << stage;
        const double side = 56 >> stage;
        const double places = side * side;
        const double before = stage == 0 ? 64 : width / 2;
        sum += convolution_flop(width, before, 3, places);
        sum += 3 * convolution_flop(width, width, 3, places);
        if (stage > 0) sum += convolution_flop(width, before, 1, places);
    }
    return sum;
}

double resnet::compare_conv1(const ResNet& net, const Tensor& picture, const Im2col& im2col,
                             const Convolution& convolution) {
    const NoGrad no_grad;
    const Tensor weight = net.parameter("conv1.weight").cpu();
    const Tensor3 x = picture.to_xtensor<3>();
    const Tensor3 own = convolution(x, weight.to_xtensor<4>(), 2, 3);
    const Tensor right =
        conv2d(picture.reshape({1, picture.shape(0), picture.shape(1), picture.shape(2)}), weight,
               {}, Conv2dOptions().stride(2).padding(3))[0];
    require_close(own, right.to_xtensor<3>(), {1e-3, 1e-3});
    const Matrix patches = im2col(x, 7, 2, 3);
    Table table({"array", "numbers"}, "The first layer: your result is that of the library");
    table.row("image", x.size()).row("matrix of patches", patches.size());
    table.row("result", own.size()).show();
    return static_cast<double>(patches.size()) / static_cast<double>(x.size());
}

void resnet::compare_norms(const ResNet& net, const BatchNorm& batch_norm) {
    const NoGrad no_grad;
    manual_seed(9);
    const Tensor x = Tensor::randn({4, 64, 14, 14});
    Table table({"mode", "result", "running mean", "running variance"},
                "Your function and the library's, for bn1");
    for (const bool training : {true, false}) {
        const auto buffer = [&](const char* name) { return net.buffer(name).cpu().clone(); };
        const auto list = [&](const Tensor& tensor) { return tensor.cpu().to_vector(); };
        Tensor mean = buffer("bn1.running_mean");
        Tensor variance = buffer("bn1.running_var");
        const Tensor gamma = net.parameter("bn1.weight").cpu();
        const Tensor beta = net.parameter("bn1.bias").cpu();
        BatchNormState state{list(gamma), list(beta), list(mean), list(variance)};
        const Tensor own = Tensor::from(batch_norm(x.to_xtensor<4>(), state, training));
        const Tensor right = lanes::batch_norm(x, gamma, beta, mean, variance, training);
        require_close(own.to_xtensor<4>(), right.to_xtensor<4>(), {1e-3, 1e-3});
        const bool moved = mean.to_vector() != list(net.buffer("bn1.running_mean"));
        const std::string same = moved ? "moved, equal" : "unchanged";
        require_close(Tensor::from(state.running_mean).to_xtensor<1>(), mean.to_xtensor<1>(),
                      {1e-3, 1e-3});
        require_close(Tensor::from(state.running_var).to_xtensor<1>(), variance.to_xtensor<1>(),
                      {1e-3, 1e-3});
        table.row(training ? "training" : "evaluation", "equal", same, same);
    }
    table.show();
}

void resnet::show_modes(const ImageFolder& pictures) {
    const NoGrad no_grad;
    const ImageFolder whole = pictures.with(transforms::evaluation());
    Tensor batch;
    DataLoader<2> loader(whole, DataLoaderOptions().batch_size(4));
    for (auto& [x, y] : loader) {
        batch = x;
        break;
    }
    const ResNet fresh = pretrained_resnet18();
    Table table({"mode", "features of a picture, with 1 or 3 others",
                 "running mean of the frozen network, before and after"});
    for (const bool training : {true, false}) {
        const auto run = [&](std::size_t pictures_of_batch) {
            ResNet net = pretrained_resnet18();
            net.requires_grad_(false);
            net.train(training);
            const Tensor features = net.features(batch.slice(0, pictures_of_batch))[0];
            return std::pair(features, net.buffer("bn1.running_mean"));
        };
        const auto with_1 = run(2);
        const auto with_3 = run(4);
        table.row(training ? "training" : "evaluation", equal_or_not(with_1.first, with_3.first),
                  equal_or_not(fresh.buffer("bn1.running_mean"), with_3.second));
    }
    table.show();
}

void resnet::compare_blocks(ResNet& net, const Block& block) {
    const NoGrad no_grad;
    manual_seed(9);
    net.eval();
    const Device device = net.parameters().front().device();
    const Tensor x = Tensor::randn({2, 3, 96, 96}).to(device);
    Tensor maps = max_pool2d(relu(net.bn1(net.conv1(x))), Pool2dOptions(3).stride(2).padding(1));
    int blocks = 0;
    for (const Sequential* stage : {&net.layer1, &net.layer2, &net.layer3, &net.layer4})
        for (std::size_t i = 0; i < stage->size(); ++i, ++blocks) {
            ResidualParts parts = parts_of(stage->get<BasicBlock>(i));
            maps = block(parts, maps);
        }
    const Tensor features = mean(maps, {2, 3});
    require_close(features.cpu().to_xtensor<2>(), net.features(x).cpu().to_xtensor<2>(),
                  {1e-3, 1e-3});
    Table table({"blocks by your function", "features per picture", "and the library's"});
    table.row(blocks, features.shape(1), "equal").show();
}

namespace {

struct PartTimes {
    double waiting = 0, computing = 0;  // s
};

// Two epochs: the first one starts the workers, the second one is measured.
PartTimes time_of_epoch(ResNet& net, const ImageFolder& pictures, const Device& device, int workers,
                        Progress& progress) {
    const NoGrad no_grad;
    DataLoader<2> loader(pictures,
                         DataLoaderOptions().batch_size(8).shuffle(true).num_workers(workers));
    for (auto& batch : loader) batch[0].to(device);
    PartTimes times;
    Timer timer;
    for (auto& batch : loader) {
        times.waiting += timer.seconds();
        timer.restart();
        net(batch[0].to(device));
        device.synchronize();
        times.computing += timer.seconds();
        timer.restart();
    }
    progress.advance();
    return times;
}

}  // namespace

resnet::EpochTimes resnet::show_workers(ResNet& net, const ImageFolder& pictures,
                                        const Device& device, const std::string& recorded) {
    net.to(device);
    net.eval();
    Progress progress("measuring, epoch", 5);
    time_of_epoch(net, pictures, device, 0, progress);  // the first use of a device takes longer
    EpochTimes result;
    std::vector<std::string> names;
    std::vector<double> waiting;  // ms
    Table table({"workers", "waiting", "computing", "device idle"},
                "One epoch over " + std::to_string(pictures.size()) + " pictures, forward");
    for (const int workers : {0, 1, 2, 4}) {
        const PartTimes times = time_of_epoch(net, pictures, device, workers, progress);
        const double all = times.waiting + times.computing;
        names.push_back(std::to_string(workers));
        waiting.push_back(1e3 * times.waiting);
        table.row(workers, with_unit(1e3 * times.waiting, "ms"),
                  with_unit(1e3 * times.computing, "ms"),
                  with_unit(100 * times.waiting / all, "%"));
        if (workers == 0) result.without_workers = all;
        if (workers == 0) result.idle = times.waiting / all;
        if (workers == 2) result.with_workers = all;
    }
    progress.done();
    table.note(machine_line() + (device == Device::cpu() ? ", on the CPU" : ", on the GPU"));
    table.recorded(recorded).show();
    Plot plot("Idle time of the device");
    plot.x("workers").y("waiting for batches, in ms").size(520, 300);
    plot.bars("waiting", names, waiting).show();
    return result;
}

void resnet::show_devices(double own_seconds, const std::string& recorded) {
    const double epoch = 40 * flop();
    Table table({"device", "time per epoch", "rate"});
    const auto add = [&](const char* name, double seconds) {
        table.row(name, with_unit(seconds, "s"), with_unit(1e-9 * epoch / seconds, "GFLOP/s"));
    };
    add("this machine", own_seconds);
    add("the project's CPU", 4.54933);
    add("the project's GPU, a T4", 1.41777);
    add("a T4 that reaches its data sheet", epoch / 8.1e12);
    table.note(machine_line()).recorded(recorded).show();
}

void resnet::amdahl_table(const AmdahlShare& amdahl_share) {
    const double before = 454.933;
    const double after = 141.777;  // s, Table 1 of the project
    Table table({"k", "share f", "GPU computes", "the rest", "largest speed-up"});
    for (const double k : {4.0, 10.0, 50.0, 200.0}) {
        const double f = amdahl_share(before, after, k);
        table.row(k, f, with_unit(before * f / k, "s"), with_unit(before * (1 - f), "s"),
                  with_unit(1 / (1 - f), "x"));
    }
    table.note("arithmetic of 100 epochs on a T4, by its data sheet: " +
               with_unit(100 * 40 * flop() / 8.1e12, "s"));
    table.show();
}

}  // namespace lanes
