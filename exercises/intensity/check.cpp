#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct TileCase {
    int rows, columns, tile;
};

std::string words(const TileCase& one) {
    return "X of " + std::to_string(one.rows) + " x " + std::to_string(one.columns) +
           ", tiles of " + std::to_string(one.tile) + " x " + std::to_string(one.tile);
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

Intensity::Intensity()
    : Exercise(text_of<Intensity>(
          "intensity",
          "C = X Xᵀ in tiles; X has rows x columns numbers of 4 bytes. Gives operations per byte: "
          "2 rows² columns operations, divided by the bytes that are loaded and stored. Each row "
          "of X is loaded twice for each tile that lies side by side in a row of tiles; C is "
          "stored once.",
          "three lines",
          "tiles = (rows + tile - 1) / tile lie side by side. Loaded: 2 * tiles * rows * columns "
          "numbers; stored: rows * rows.")) {}

void Intensity::check(Answer answer) const {
    const std::vector<TileCase> cases{{64, 64, 32},     {256, 64, 1},   {784, 128, 32},
                                      {4096, 4096, 64}, {100, 300, 64}, {50000, 50000, 128}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const TileCase& one) {
        const double n = one.rows, m = one.columns, t = one.tile;
        const auto of = [&](double tiles, double loads, double stores) {
            return 2 * n * n * m / (4 * (loads * tiles * n * m + stores * n * n));
        };
        const double tiles = std::ceil(n / t);
        const double right = of(tiles, 2, 1);
        About about;
        about.tolerance = {1e-9, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(4 * right, "These are operations per number. A number has 4 bytes.");
        add(right / 2,
            "An operation is a multiplication or an addition: there are 2 rows² columns.");
        add(1 / right, "These are bytes per operation: turn the quotient around.");
        add(of(tiles, 2, 0), "The stores are missing: C has rows² numbers.");
        add(of(tiles, 1, 1),
            "A tile needs two strips of X, one for its rows and one for its columns.");
        add(of(std::floor(n / t), 2, 1),
            "The tiles at the border are missing: rows / tile, rounded up.");
        add(of(n / t, 2, 1), "A tile is loaded as a whole or not at all: rows / tile, rounded up.");
        add(of(1, 1, 1), "This is the value if each number of X is loaded once, without tiles.");
        add(of(tiles * tiles, 2, 1),
            "These are too many loads: each of the tiles² tiles loads two strips of tile x columns "
            "numbers, not all of X.");
        const double got = judge.call([&] { return answer(one.rows, one.columns, one.tile); });
        judge.require(got > 0, "the result is " + to_text(got) + ".",
                      "Is a product too large for an int, above 2147483647? Compute in double: "
                      "const double n = rows;");
        judge.same(number(got), number(right), about);
    });
}

}  // namespace lanes::exercises
