// The elements of a container as a copy of bytes needs them: one after the other, rows first. What
// lies so already is not copied: a std::vector, a std::array, a row-major xtensor container or a
// view of its neighbouring rows. Other views, column-major arrays and expressions that xtensor has
// not evaluated yet are copied.
//
//   #include "lanes/array/types.hpp"
//   #include <xtensor/xview.hpp>
//   const lanes::Matrix matrix{{1, 2, 3}, {4, 5, 6}};
//   const lanes::Contiguous column(xt::view(matrix, xt::all(), 1));
//   const float five = column.data()[column.size() - 1];
//
// Includes nothing of xtensor: a caller that has one of its expressions has included it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace lanes {

namespace array {

template <class C, class = void>
constexpr bool is_xtensor = false;
template <class C>
constexpr bool
    is_xtensor<C, std::void_t<decltype(C::static_layout), decltype(C::contiguous_layout)>> = true;

template <class C, class = void>
constexpr bool has_data = false;
template <class C>
constexpr bool has_data<
    C, std::void_t<decltype(*std::declval<C&>().data()), decltype(std::declval<C&>().size())>> =
    true;

template <class C, class = void>
constexpr bool has_strides = false;
template <class C>
constexpr bool has_strides<
    C, std::void_t<decltype(*std::declval<C&>().data()), decltype(std::declval<C&>().strides()),
                   decltype(std::declval<C&>().data_offset())>> = true;

template <class C, class = void>
struct ElementOf {};
template <class C>
struct ElementOf<C, std::enable_if_t<is_xtensor<std::remove_cv_t<C>>>> {
    using type = std::remove_cv_t<typename C::value_type>;
};
template <class C>
struct ElementOf<C, std::enable_if_t<!is_xtensor<std::remove_cv_t<C>> && has_data<C>>> {
    using type = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<C&>().data())>>;
};

// The first element if all of them lie in row-major order without gaps, else nullptr.
template <class C>
auto first_of_row_major(C& values) -> decltype(values.data()) {
    if constexpr (is_xtensor<std::remove_cv_t<C>>) {
        const auto& shape = values.shape();
        const auto& strides = values.strides();
        std::ptrdiff_t step = 1;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            const auto extent = static_cast<std::ptrdiff_t>(shape[axis]);
            if (extent > 1 && static_cast<std::ptrdiff_t>(strides[axis]) != step) return nullptr;
            step *= extent;
        }
        return values.data() + values.data_offset();
    } else {
        return values.data();
    }
}

}  // namespace array

// The type of a container's elements; no type if it is no container with data() and size() and no
// xtensor expression.
template <class C>
using element_of = typename array::ElementOf<C>::type;

// The values must outlive it.
template <class C>
class Contiguous {
    static_assert(array::is_xtensor<C> || array::has_data<const C>,
                  "the values must be an xtensor expression or a container with data() and size(), "
                  "such as std::vector (but not of bool) or std::array");

public:
    using value_type = element_of<const C>;

    explicit Contiguous(const C& values) : size_(values.size()) {
        if constexpr (!array::is_xtensor<C> || array::has_strides<const C>)
            data_ = array::first_of_row_major(values);
        if constexpr (array::is_xtensor<C>)
            if (data_ == nullptr && size_ > 0) {
                constexpr auto rows_first = std::remove_cv_t<decltype(C::static_layout)>::row_major;
                copy_ = std::make_unique<value_type[]>(size_);
                std::copy(values.template begin<rows_first>(), values.template end<rows_first>(),
                          copy_.get());
                data_ = copy_.get();
            }
    }

    const value_type* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    std::size_t size_;
    std::unique_ptr<value_type[]> copy_;
    const value_type* data_ = nullptr;
};

// Calls write(first element) for memory that ends up in `values`, rows first: their own if they lie
// so, else memory that is copied afterwards.
template <class C, class Write>
void write_row_major(C& values, const Write& write) {
    using Element = element_of<C>;
    if constexpr (!array::is_xtensor<C> || array::has_strides<C>)
        if (Element* const first = array::first_of_row_major(values)) return write(first);
    if constexpr (array::is_xtensor<C>) {
        constexpr auto rows_first = std::remove_cv_t<decltype(C::static_layout)>::row_major;
        const auto rows = std::make_unique<Element[]>(values.size());
        write(rows.get());
        std::copy(rows.get(), rows.get() + values.size(), values.template begin<rows_first>());
    }
}

}  // namespace lanes
