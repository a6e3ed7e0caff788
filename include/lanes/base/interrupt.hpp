// The interrupt button of a notebook. The Jupyter kernel exports a function that tells; in a plain
// program nobody presses it.
#pragma once

namespace lanes {

// True once the button was pressed during this cell: whatever waits or loops shall stop soon, by an
// exception. Costs about a microsecond: ask every millisecond, not for every number.
bool interrupted();

}  // namespace lanes
