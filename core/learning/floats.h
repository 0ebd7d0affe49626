// Arrays of float32 whose first value starts a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace synperf {

/// Where an array starts decides which of its values a vectorised loop takes singly, and so the last bit of a sum: on a fixed boundary the same
/// training gives the same weights.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
    void deallocate(T* values, std::size_t /*count*/) { ::operator delete(values, kAlignment); }
    bool operator==(const CacheLineAllocator&) const { return true; }
};

using Floats = std::vector<float, CacheLineAllocator<float>>;

}  // namespace synperf
