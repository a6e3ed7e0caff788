#include "driver.hpp"

namespace lanes::gpu::cuda {

std::string Driver::error_text(Result result) const {
    const char *name = nullptr, *text = nullptr;
    if (error_name) error_name(result, &name);
    if (get_error_string) get_error_string(result, &text);
    std::string words = text ? text : "an error that the driver does not explain";
    words += name ? std::string(" (") + name + ")" : " (number " + std::to_string(result) + ")";
    return words;
}

std::string advice_for(Result result) {
    switch (result) {
        case 1:
            return "A value of the call is out of its range: look at sizes and at the launch "
                   "shape.";
        case 2:
            return "Free buffers that are no longer needed, or use smaller ones.";
        case 3:
            return "The driver was not started in this process: restart the Jupyter kernel or the "
                   "program.";
        case 35:
            return "The driver is older than the program needs: update the NVIDIA driver.";
        case 46:
            return "Another program uses the GPU alone: end it, or ask for another GPU.";
        case 100:
            return "The driver sees no GPU: look at nvidia-smi and at CUDA_VISIBLE_DEVICES.";
        case 101:
            return "There is no GPU of that number: look at nvidia-smi and at "
                   "CUDA_VISIBLE_DEVICES.";
        case 200:
            return "The compiled program is broken: remove the cache's folder and compile again.";
        case 209:
            return "The program was compiled for another architecture than this GPU's: compile it "
                   "again on this machine.";
        case 218:
            return "The machine code does not fit the driver: update the NVIDIA driver.";
        case 222:
            return "The compiler is newer than the driver: update the NVIDIA driver, or install an "
                   "older nvidia-cuda-nvrtc.";
        case 500:
            return "The program has no such function or variable.";
        case 700:
            return "A thread read or wrote outside its buffers: look at the guard `if (i < n)`. "
                   "The simulator names the line, the index and the thread.";
        case 701:
            return "The launch asks for more registers, threads or shared memory than a "
                   "multiprocessor has: use a smaller block.";
        case 702:
            return "The CUDA kernel ran too long and was stopped by the system: look for a loop "
                   "that does not end.";
        case 710:
            return "An assert of the CUDA kernel failed: its text is in the output above.";
        case 714:
            return "The stack of a thread was damaged: look for an array on the stack that is "
                   "indexed out of its bounds.";
        case 715:
            return "The CUDA kernel executed an illegal instruction: __trap(), or a damaged "
                   "function pointer.";
        case 716:
            return "An address is no multiple of its type's size: float4 needs addresses that are "
                   "multiples of 16 bytes.";
        case 717:
            return "An address of another kind of memory was used, shared for global or the other "
                   "way round.";
        case 718:
            return "A jump went to an address that is no code: look for a damaged function "
                   "pointer.";
        case 719:
            return "The CUDA kernel failed, often by an access out of bounds in shared memory. The "
                   "simulator names the line, the index and the thread.";
        case 720:
            return "More blocks were asked for than can be resident at a time, which a cooperative "
                   "launch needs.";
        case 802:
            return "The system is not ready for CUDA yet: wait for its services, or restart the "
                   "machine.";
        case 803:
            return "The driver's library and its module in the system are of different versions: "
                   "restart the machine after an update of the driver.";
        case 804:
            return "This compatibility driver does not support this GPU: remove cuda-compat from "
                   "LD_LIBRARY_PATH.";
        case 999:
            return "The driver reports an unknown error: look at nvidia-smi. Restarting the "
                   "program usually helps.";
        default:
            return "";
    }
}

bool is_sticky(Result result) {
    switch (result) {
        case 214:  // memory that cannot be corrected
        case 700:
        case 702:
        case 709:  // context is destroyed
        case 710:
        case 714:
        case 715:
        case 716:
        case 717:
        case 718:
        case 719:
            return true;
        default:
            return false;
    }
}

}  // namespace lanes::gpu::cuda
