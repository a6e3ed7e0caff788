// The steps of a ring all-reduce as a picture, for lesson 10.
//
//   lanes::draw_ring_all_reduce(4);
#pragma once

namespace lanes {

// One grid per step, with a row for each rank and a column for each part of its values. A cell
// names the ranks whose values are in it; the parts that have just arrived are framed. 2 to 5
// ranks.
void draw_ring_all_reduce(int ranks);

}  // namespace lanes
