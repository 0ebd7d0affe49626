// How a program that predicts again and again should use the allocator.
#pragma once

namespace synperf {

/// Asks the C library to keep up to 256 MiB of freed memory instead of giving every schedule's columns back to the system: the next
/// prediction needs the same again, and page faults are a fifth of its time otherwise. Does nothing without glibc.
void keep_freed_memory();

}  // namespace synperf
