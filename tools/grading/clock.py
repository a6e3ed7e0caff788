"""The clock for limits of a student's time. While the whole grader stands still, because it was
stopped or the virtual machine suspended, nobody's time passes: an answer cannot run out of a time
in which nobody looked whether it had ended."""

import threading
import time

GAP = 5  # seconds: what waits for an answer looks at the clock at least once per second


class Clock:
    def __init__(self):
        self.lock, self.looked, self.lost = threading.Lock(), time.monotonic(), 0

    def now(self):
        """Seconds since any moment."""
        with self.lock:
            time_now = time.monotonic()
            if time_now - self.looked > GAP:
                self.lost += time_now - self.looked
            self.looked = time_now
            return time_now - self.lost


now = Clock().now
