void lanes_probe(lanes::grading::Probe& probe) {
    const auto call = [&](std::size_t in, std::size_t out, std::size_t stride, bool training) {
        lanes::manual_seed(probe.integer(1, 100000));
        const auto options = lanes::Conv2dOptions().padding(1);
        lanes::resnet::ResidualParts parts{
            lanes::Conv2d(in, out, 3, lanes::Conv2dOptions(options).stride(stride), false),
            lanes::BatchNorm2d(out), lanes::Conv2d(out, out, 3, options, false),
            lanes::BatchNorm2d(out),
            in == out && stride == 1
                ? lanes::Sequential{}
                : lanes::Sequential{
                      lanes::Conv2d(in, out, 1, lanes::Conv2dOptions().stride(stride), false),
                      lanes::BatchNorm2d(out)}};
        const lanes::NoGrad no_grad;
        const float means[] = {static_cast<float>(probe.uniform(0.5, 1)),
                               static_cast<float>(probe.uniform(-1, -0.5))};
        parts.bn1.running_mean().fill_(means[0]);
        parts.bn2.running_mean().fill_(means[1]);
        parts.bn1.train(training);
        parts.bn2.train(training);
        parts.downsample.train(training);
        const auto x = probe.random<lanes::Tensor4>({2, in, 5, 6}, -2, 2);
        probe.put(residual_block(parts, lanes::Tensor::from(x)).to_xtensor<4>());
    };
    const std::size_t channels = probe.integer(2, 5);
    call(channels, channels, 1, false);
    call(channels, channels, 1, true);
    call(channels, channels + probe.integer(1, 3), 2, false);
    call(channels, 2 * channels, 2, true);
}
