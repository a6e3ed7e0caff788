#include "cppreference.hpp"

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <vector>

namespace xcpp_session {
namespace {

using llvm::StringRef;

// Folder and names; "name=page" if the page has another name.
struct Folder {
    const char* path;
    const char* names;
};

constexpr Folder folders[] = {
    {"algorithm",
     "accumulate adjacent_difference adjacent_find all_of=all_any_none_of any_of=all_any_none_of "
     "binary_search clamp copy copy_backward copy_if=copy copy_n count count_if=count equal "
     "equal_range exclusive_scan fill fill_n find find_end find_first_of find_if=find "
     "find_if_not=find for_each for_each_n generate generate_n includes inclusive_scan "
     "inner_product inplace_merge iota is_heap is_partitioned is_permutation is_sorted iter_swap "
     "lexicographical_compare lower_bound make_heap max max_element merge min min_element minmax "
     "minmax_element mismatch move_backward next_permutation none_of=all_any_none_of nth_element "
     "partial_sort partial_sum partition partition_point pop_heap prev_permutation push_heap "
     "reduce remove remove_copy remove_copy_if=remove_copy remove_if=remove replace replace_copy "
     "replace_copy_if=replace_copy replace_if=replace reverse reverse_copy rotate rotate_copy "
     "sample search search_n set_difference set_intersection set_union shuffle=random_shuffle sort "
     "sort_heap stable_partition stable_sort swap swap_ranges transform transform_exclusive_scan "
     "transform_inclusive_scan transform_reduce unique unique_copy upper_bound"},
    {"atomic",
     "atomic __atomic_base=atomic __atomic_float=atomic atomic_flag atomic_ref "
     "atomic_signal_fence atomic_thread_fence memory_order"},
    {"chrono",
     "duration high_resolution_clock hours=duration microseconds=duration milliseconds=duration "
     "minutes=duration nanoseconds=duration seconds=duration steady_clock system_clock time_point"},
    {"chrono/duration", "duration_cast"},
    {"container",
     "array deque forward_list list map multimap multiset priority_queue queue set span stack "
     "unordered_map unordered_multimap unordered_multiset unordered_set vector"},
    {"error",
     "domain_error exception invalid_argument length_error logic_error out_of_range "
     "overflow_error range_error runtime_error terminate underflow_error"},
    {"io",
     "basic_fstream basic_ifstream basic_ios basic_iostream basic_istream basic_istringstream "
     "basic_ofstream basic_ostream basic_ostringstream basic_stringstream cerr cin clog cout "
     "fstream=basic_fstream ifstream=basic_ifstream ios_base istream=basic_istream "
     "istringstream=basic_istringstream ofstream=basic_ofstream ostream=basic_ostream "
     "ostringstream=basic_ostringstream stringstream=basic_stringstream"},
    {"io/manip",
     "boolalpha dec=hex endl fixed flush get_time hex left noboolalpha=boolalpha oct=hex put_time "
     "quoted right=left scientific=fixed setfill setprecision setw showpos ws"},
    {"iterator",
     "advance back_inserter begin cbegin=begin cend=end distance end front_inserter inserter "
     "istream_iterator iterator_traits make_move_iterator next ostream_iterator prev rbegin rend "
     "reverse_iterator size"},
    {"memory",
     "addressof allocator enable_shared_from_this shared_ptr __shared_ptr=shared_ptr unique_ptr "
     "weak_ptr"},
    {"memory/shared_ptr",
     "const_pointer_cast=pointer_cast dynamic_pointer_cast=pointer_cast make_shared "
     "static_pointer_cast=pointer_cast"},
    {"memory/unique_ptr", "make_unique"},
    {"numeric", "complex gcd lcm midpoint"},
    {"numeric/math",
     "abs=fabs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp "
     "exp2 expm1 fabs floor fma fmax fmin fmod hypot isfinite isinf isnan lgamma log log10 log1p "
     "log2 pow remainder round signbit sin sinh sqrt tan tanh tgamma trunc"},
    {"numeric/random",
     "bernoulli_distribution discrete_distribution mersenne_twister_engine "
     "mt19937=mersenne_twister_engine mt19937_64=mersenne_twister_engine normal_distribution "
     "random_device seed_seq uniform_int_distribution uniform_real_distribution"},
    {"string", "basic_string basic_string_view string=basic_string string_view=basic_string_view"},
    {"string/basic_string", "getline stod=stof stof stoi=stol stol stoll=stol stoul to_string"},
    {"string/byte", "memcmp memcpy memmove memset strcmp strlen"},
    {"thread",
     "async barrier call_once condition_variable condition_variable_any counting_semaphore future "
     "get_id jthread latch launch lock lock_guard mutex once_flag packaged_task promise "
     "recursive_mutex scoped_lock shared_future shared_lock shared_mutex sleep_for sleep_until "
     "thread timed_mutex unique_lock yield"},
    {"types", "byte numeric_limits ptrdiff_t size_t"},
    {"utility",
     "any apply bitset declval exchange forward initializer_list make_from_tuple move optional "
     "pair tuple variant"},
    {"utility/functional",
     "bind cref=ref function greater invoke less minus multiplies plus ref reference_wrapper"},
    {"utility/optional", "make_optional nullopt"},
    {"utility/pair", "make_pair"},
    {"utility/tuple", "forward_as_tuple make_tuple tie tuple_cat"},
    {"utility/variant", "get_if holds_alternative monostate visit"},
    // Members that are described on the page of another one.
    {"member",
     "cbegin=begin cend=end compare_exchange_strong=compare_exchange "
     "compare_exchange_weak=compare_exchange crbegin=rbegin crend=rend has_value=operator_bool "
     "length=size remove_if=remove"},
};

const llvm::StringMap<std::string>& pages() {
    static const llvm::StringMap<std::string> all = [] {
        llvm::StringMap<std::string> found;
        for (const Folder& folder : folders) {
            const bool of_members = StringRef(folder.path) == "member";
            llvm::SmallVector<StringRef, 0> names;
            StringRef(folder.names).split(names, ' ');
            for (const StringRef one : names) {
                const auto [name, page] = one.split('=');
                const std::string last = (page.empty() ? name : page).str();
                found[of_members ? ("." + name).str() : name.str()] =
                    of_members ? last : folder.path + ("/" + last);
            }
        }
        return found;
    }();
    return all;
}

// {"vector", "push_back"} of std::vector<int>::push_back; empty: not of std. Inline namespaces, and
// those whose names are in the table, are left out.
std::vector<std::string> names_in_std(const clang::NamedDecl& declaration) {
    std::vector<std::string> names;
    if (declaration.getDeclName().isIdentifier()) names.push_back(declaration.getName().str());
    for (const clang::DeclContext* context = declaration.getDeclContext(); context;
         context = context->getParent()) {
        const auto* named = llvm::dyn_cast<clang::NamedDecl>(context);
        if (!named || !named->getDeclName().isIdentifier() || context->isInlineNamespace())
            continue;
        const StringRef name = named->getName();
        if (context->isNamespace() && name == "std" && context->getParent()->isTranslationUnit())
            return names;
        if (!context->isNamespace() || (name != "chrono" && name != "this_thread"))
            names.insert(names.begin(), name.str());
    }
    return {};
}

}  // namespace

std::string cppreference_link(const clang::NamedDecl& declaration) {
    std::vector<std::string> names = names_in_std(declaration);
    if (names.empty()) names = names_in_std(*declaration.getUnderlyingDecl());
    if (names.empty()) return {};
    const std::string site = "https://en.cppreference.com/";
    const auto page = pages().find(names[0]);
    if (page == pages().end()) {
        std::string searched = "std";
        for (const std::string& name : names) searched += "::" + name;
        return StringRef(searched).contains("::_") ? ""
                                                   : site + "mwiki/index.php?search=" + searched;
    }
    std::string link = site + "w/cpp/" + page->second;
    if (names.size() == 1 || names[1] == names[0]) return link;  // constructors, operators
    const auto member = pages().find("." + names[1]);
    return link + "/" + (member == pages().end() ? names[1] : member->second);
}

}  // namespace xcpp_session
