"""Trains ResNet-18 (the layout of torchvision) on Tiny ImageNet; everything is on the GPU.

Saves float16 weights by the names of torchvision. resnet18.npz was made from them: each weight of
two or more axes is divided by its largest magnitude per output channel / 127, which is kept as
NAME.scale, and rounded to int8. Needs tiny_x.npy (images), tiny_y.npy (labels) and tiny_v.npy (1:
held out).
"""
import argparse, math, time, numpy as np, torch, torch.nn as nn, torch.nn.functional as F
a = argparse.ArgumentParser()
a.add_argument('--epochs', type=int, default=60)
a.add_argument('--size', type=int, default=128)
a.add_argument('--last', type=int, default=160)
a.add_argument('--lr', type=float, default=1.0)
a.add_argument('--batch', type=int, default=512)
a.add_argument('--out', default='resnet18.npz')
a.add_argument('--limit', type=float, default=520)
o = a.parse_args()
torch.manual_seed(0)
dev = 'cuda'
torch.backends.cudnn.benchmark = True
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True

class Block(nn.Module):

    def __init__(s, i, c, st):
        super().__init__()
        s.conv1 = nn.Conv2d(i, c, 3, st, 1, bias=False)
        s.bn1 = nn.BatchNorm2d(c)
        s.conv2 = nn.Conv2d(c, c, 3, 1, 1, bias=False)
        s.bn2 = nn.BatchNorm2d(c)
        s.downsample = None
        if st != 1 or i != c:
            s.downsample = nn.Sequential(nn.Conv2d(i, c, 1, st, bias=False), nn.BatchNorm2d(c))

    def forward(s, x):
        y = F.relu(s.bn1(s.conv1(x)))
        y = s.bn2(s.conv2(y))
        return F.relu(y + (x if s.downsample is None else s.downsample(x)))

class ResNet18(nn.Module):

    def __init__(s, k):
        super().__init__()
        s.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        s.bn1 = nn.BatchNorm2d(64)
        s.layer1 = nn.Sequential(Block(64, 64, 1), Block(64, 64, 1))
        s.layer2 = nn.Sequential(Block(64, 128, 2), Block(128, 128, 1))
        s.layer3 = nn.Sequential(Block(128, 256, 2), Block(256, 256, 1))
        s.layer4 = nn.Sequential(Block(256, 512, 2), Block(512, 512, 1))
        s.fc = nn.Linear(512, k)
        for m in s.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')

    def forward(s, x):
        x = F.max_pool2d(F.relu(s.bn1(s.conv1(x))), 3, 2, 1)
        x = s.layer4(s.layer3(s.layer2(s.layer1(x))))
        return s.fc(x.mean((2, 3)))
x = np.load('tiny_x.npy')
y = np.load('tiny_y.npy')
v = np.load('tiny_v.npy').astype(bool)
xt = torch.from_numpy(x[~v]).permute(0, 3, 1, 2).contiguous().to(dev)
yt = torch.from_numpy(y[~v]).long().to(dev)
xv = torch.from_numpy(x[v]).permute(0, 3, 1, 2).contiguous().to(dev)
yv = torch.from_numpy(y[v]).long().to(dev)
mean = torch.tensor([0.485, 0.456, 0.406], device=dev).view(1, 3, 1, 1) * 255
std = torch.tensor([0.229, 0.224, 0.225], device=dev).view(1, 3, 1, 1) * 255

def crops(b, size):
    n = len(b)
    area = torch.empty(n, device=dev).uniform_(0.25, 1.0)
    ratio = torch.exp(torch.empty(n, device=dev).uniform_(math.log(3 / 4), math.log(4 / 3)))
    w = (area * ratio).sqrt().clamp(max=1)
    h = (area / ratio).sqrt().clamp(max=1)
    cx = (torch.rand(n, device=dev) * 2 - 1) * (1 - w)
    cy = (torch.rand(n, device=dev) * 2 - 1) * (1 - h)
    flip = torch.where(torch.rand(n, device=dev) < 0.5, -1.0, 1.0)
    t = torch.zeros(n, 2, 3, device=dev)
    t[:, 0, 0] = w * flip
    t[:, 0, 2] = cx
    t[:, 1, 1] = h
    t[:, 1, 2] = cy
    b = F.grid_sample(b.float(),
                      F.affine_grid(t, (n, 3, size, size), align_corners=False),
                      mode='bilinear',
                      padding_mode='reflection',
                      align_corners=False)
    g = 1 + 0.4 * (torch.rand(n, 1, 1, 1, device=dev) * 2 - 1)
    m = b.mean((1, 2, 3), keepdim=True)
    c = 1 + 0.4 * (torch.rand(n, 1, 1, 1, device=dev) * 2 - 1)
    b = (b - m) * c + m * g
    gray = b.mean(1, keepdim=True)
    s = 1 + 0.4 * (torch.rand(n, 1, 1, 1, device=dev) * 2 - 1)
    b = (b - gray) * s + gray
    return (b.clamp(0, 255) - mean) / std

def plain(b, size):
    resized = F.interpolate(b.float(), (size, size), mode='bilinear', align_corners=False)
    return (resized - mean) / std
net = ResNet18(200).to(dev).to(memory_format=torch.channels_last)
ema = ResNet18(200).to(dev).to(memory_format=torch.channels_last)
ema.load_state_dict(net.state_dict())
decay = [p for n, p in net.named_parameters() if p.ndim > 1]
rest = [p for n, p in net.named_parameters() if p.ndim <= 1]
opt = torch.optim.SGD(
    [dict(params=decay, weight_decay=0.0001), dict(params=rest, weight_decay=0)],
    lr=o.lr,
    momentum=0.9,
    nesterov=True)
fwd = torch.compile(net) if False else net
steps = len(xt) // o.batch
total = o.epochs * steps
t0 = time.time()
it = 0

def evaluate(m, size):
    m.eval()
    right = 0
    with torch.no_grad(), torch.autocast('cuda', torch.bfloat16):
        for i in range(0, len(xv), 1000):
            x = plain(xv[i:i + 1000], size).to(memory_format=torch.channels_last)
            right += (m(x).argmax(1) == yv[i:i + 1000]).sum().item()
    return 100 * right / len(xv)
for e in range(o.epochs):
    size = o.size if e < o.epochs * 0.8 else o.last
    net.train()
    order = torch.randperm(len(xt), device=dev)
    for b in range(steps):
        lr = o.lr * min(1, it / (3 * steps)) * 0.5 * (1 + math.cos(math.pi * it / total))
        for g in opt.param_groups:
            g['lr'] = lr
        i = order[b * o.batch:(b + 1) * o.batch]
        inp = crops(xt[i], size).to(memory_format=torch.channels_last)
        with torch.autocast('cuda', torch.bfloat16):
            loss = F.cross_entropy(net(inp), yt[i], label_smoothing=0.1)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        it += 1
        if it % 8 == 0:
            k = min(0.995, (1 + it / 8) / (10 + it / 8))
            with torch.no_grad():
                for p, q in zip(ema.state_dict().values(), net.state_dict().values()):
                    if p.dtype.is_floating_point:
                        p.lerp_(q.to(p.dtype), 1 - k)
                    else:
                        p.copy_(q)
    if e % 5 == 4 or e == o.epochs - 1 or e == 0:
        print(
            f'epoch {e + 1} size {size} loss {loss.item():.3f} val {evaluate(net, size):.2f} '
            f'ema {evaluate(ema, size):.2f} {time.time() - t0:.0f} s',
            flush=True)
for s in (96, 128, 160, 192, 224):
    print('ema at', s, evaluate(ema, s))
np.savez(
    o.out, **{
        k: t.float().cpu().numpy().astype(np.float16)
        for k, t in ema.state_dict().items() if 'num_batches' not in k
    })
torch.save(ema.state_dict(), o.out.replace('.npz', '.pth'))
