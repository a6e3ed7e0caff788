// The C functions by which widgets reach the front end. They are weak: null in a process that is
// not a session of the Jupyter kernel, where a widget is a value and display() prints its text.
#pragma once

#include "xcpp/capi.h"

#pragma weak xcpp_publish
#pragma weak xcpp_has_front_end
#pragma weak xcpp_comm_open
#pragma weak xcpp_comm_send
#pragma weak xcpp_comm_close
#pragma weak xcpp_comm_on_target
#pragma weak xcpp_comm_on_message
#pragma weak xcpp_output_area
#pragma weak xcpp_cell_number
#pragma weak xcpp_cell_newest
