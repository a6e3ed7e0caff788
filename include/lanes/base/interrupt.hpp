// Whether the interrupt button of the notebook was pressed. The Jupyter kernel exports the function
// that this one calls; in a program without it, the result is always false.
//
//   for (int step = 0; step < 1000; ++step) {
//       if (lanes::interrupted()) throw lanes::Error("simulate: interrupted in step ", step, ".");
//       // about a millisecond of work
//   }
#pragma once

namespace lanes {

// True from the moment when the button was pressed until the cell ends. Code that waits or loops
// should then throw an exception soon. A call takes about a microsecond: call it every millisecond,
// not for every number.
bool interrupted();

}  // namespace lanes
