// Matrix transpose through a shared-memory tile: a family that the engine does not know.
#pragma once

#include <memory>

#include "kernels/calibration.h"
#include "kernels/kernel_family.h"

[[nodiscard]] std::shared_ptr<const synperf::KernelFamily> make_transpose(const synperf::Calibration& calibration);
