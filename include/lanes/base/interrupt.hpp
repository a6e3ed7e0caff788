// The interrupt button of a notebook. The Jupyter kernel exports the function behind this one; in a
// plain program it always gives false.
//
//   for (int step = 0; step < 1000; ++step) {
//       if (lanes::interrupted()) throw lanes::Error("simulate: interrupted in step ", step, ".");
//       // about a millisecond of work
//   }
#pragma once

namespace lanes {

// True once the button was pressed during this cell: whatever waits or loops shall stop soon, by an
// exception. Costs about a microsecond: ask every millisecond, not for every number.
bool interrupted();

}  // namespace lanes
