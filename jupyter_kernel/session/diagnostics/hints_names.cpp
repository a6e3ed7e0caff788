// Which header declares which name of the standard library.
#include "hints_names.hpp"

#include "hints.hpp"
#include "session/base/similar_words.hpp"

#include <algorithm>
#include <map>

namespace xcpp_session {
namespace {

struct HeaderNames {
    const char* header;
    const char* names;  // separated by spaces
};

constexpr HeaderNames std_names[] = {
    {"algorithm",
     "sort stable_sort partial_sort nth_element find find_if find_if_not count count_if copy "
     "copy_if copy_n move_backward fill fill_n generate generate_n "
     "transform replace replace_if remove remove_if unique reverse rotate shuffle sample max min "
     "minmax max_element min_element minmax_element clamp "
     "all_of any_of none_of for_each for_each_n equal mismatch search lower_bound upper_bound "
     "equal_range binary_search merge includes set_union "
     "set_intersection set_difference partition stable_partition is_sorted next_permutation "
     "prev_permutation lexicographical_compare make_heap push_heap "
     "pop_heap sort_heap"},
    {"numeric",
     "accumulate inner_product partial_sum adjacent_difference iota reduce transform_reduce "
     "inclusive_scan exclusive_scan gcd lcm"},
    {"iostream", "cout cin cerr clog endl flush ostream istream ws"},
    {"iomanip", "setprecision setw setfill setbase put_time get_time quoted"},
    {"ios", "fixed scientific hex dec oct boolalpha left right ios ios_base"},
    {"sstream", "stringstream ostringstream istringstream stringbuf"},
    {"fstream", "ifstream ofstream fstream filebuf"},
    {"string",
     "string wstring u16string u32string basic_string to_string stoi stol stoll stoul stoull stof "
     "stod stold getline char_traits"},
    {"string_view", "string_view basic_string_view wstring_view"},
    {"vector", "vector"},
    {"array", "array"},
    {"deque", "deque"},
    {"list", "list"},
    {"forward_list", "forward_list"},
    {"map", "map multimap"},
    {"set", "set multiset"},
    {"unordered_map", "unordered_map unordered_multimap"},
    {"unordered_set", "unordered_set unordered_multiset"},
    {"queue", "queue priority_queue"},
    {"stack", "stack"},
    {"bitset", "bitset"},
    {"tuple",
     "tuple make_tuple tie get apply forward_as_tuple tuple_cat tuple_size tuple_element ignore"},
    {"utility",
     "pair make_pair move forward swap exchange declval index_sequence make_index_sequence "
     "integer_sequence in_place as_const"},
    {"optional", "optional nullopt make_optional bad_optional_access"},
    {"variant", "variant visit monostate holds_alternative get_if"},
    {"any", "any any_cast"},
    {"memory",
     "unique_ptr shared_ptr weak_ptr make_unique make_shared allocator allocator_traits "
     "enable_shared_from_this addressof static_pointer_cast "
     "dynamic_pointer_cast"},
    {"functional",
     "function bind ref cref plus minus multiplies divides modulus negate less greater less_equal "
     "greater_equal equal_to not_equal_to hash invoke mem_fn "
     "not_fn placeholders reference_wrapper"},
    {"thread", "thread this_thread"},
    {"mutex",
     "mutex lock_guard unique_lock scoped_lock recursive_mutex timed_mutex call_once once_flag"},
    {"shared_mutex", "shared_mutex shared_lock"},
    {"condition_variable", "condition_variable condition_variable_any cv_status"},
    {"atomic", "atomic atomic_flag memory_order atomic_int atomic_bool atomic_thread_fence"},
    {"future", "future promise async packaged_task launch shared_future future_status"},
    {"chrono", "chrono"},
    {"random",
     "mt19937 mt19937_64 random_device uniform_int_distribution uniform_real_distribution "
     "normal_distribution bernoulli_distribution "
     "default_random_engine discrete_distribution exponential_distribution poisson_distribution "
     "minstd_rand"},
    {"cmath",
     "sqrt pow exp exp2 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh abs "
     "fabs floor ceil round trunc fmod hypot cbrt isnan isinf "
     "isfinite "
     "lround copysign erf tgamma lgamma fmax fmin fma nan"},
    {"complex", "complex real imag arg conj polar norm"},
    {"limits", "numeric_limits"},
    {"type_traits",
     "is_same is_same_v enable_if enable_if_t decay decay_t conditional "
     "conditional_t remove_reference remove_reference_t remove_cv is_integral is_integral_v "
     "is_floating_point is_floating_point_v is_arithmetic "
     "is_arithmetic_v "
     "true_type false_type void_t integral_constant is_base_of is_base_of_v is_convertible "
     "is_convertible_v invoke_result invoke_result_t common_type"},
    {"stdexcept",
     "runtime_error logic_error invalid_argument out_of_range domain_error length_error "
     "overflow_error underflow_error range_error"},
    {"exception",
     "exception terminate current_exception rethrow_exception exception_ptr uncaught_exceptions"},
    {"new", "bad_alloc nothrow"},
    {"typeinfo", "type_info bad_cast"},
    {"typeindex", "type_index"},
    {"system_error", "error_code system_error errc"},
    {"iterator",
     "back_inserter front_inserter inserter begin end rbegin rend next prev advance distance "
     "ostream_iterator istream_iterator iterator_traits "
     "make_move_iterator size data empty"},
    {"initializer_list", "initializer_list"},
    {"filesystem", "filesystem"},
    {"regex", "regex smatch regex_match regex_search regex_replace sregex_iterator"},
    {"cstdint",
     "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t"},
    {"cstddef", "size_t ptrdiff_t nullptr_t byte max_align_t"},
    {"cstdio",
     "printf fprintf puts putchar scanf snprintf sprintf fopen fclose fread fwrite fgets fflush "
     "FILE"},
    {"cstdlib",
     "malloc free calloc realloc atoi atof exit abort rand srand getenv system qsort strtol "
     "strtod"},
    {"cstring",
     "memcpy memset memmove memcmp strlen strcmp strncmp strcpy strncpy strcat strchr strstr "
     "strerror"},
    {"cctype", "isalpha isdigit isspace isupper islower toupper tolower isalnum ispunct"},
    {"ctime", "time clock time_t tm localtime strftime"},
    {"cassert", "assert"},
    {"execution", "execution"},
    {"scoped_allocator", "scoped_allocator_adaptor"},
    {"memory_resource", "pmr"},
    {"ratio", "ratio milli micro nano kilo mega giga"},
    {"valarray", "valarray slice gslice"},
    {"locale", "locale use_facet"},
    {"cfenv", "feclearexcept fetestexcept feraiseexcept fegetround fesetround fenv_t"},
    {"csignal", "signal raise sig_atomic_t"},
    {"csetjmp", "jmp_buf longjmp"},
    {"cstdarg", "va_list"},
    {"cwchar", "wcslen wprintf mbstate_t"},
    {"cinttypes", "intmax_t uintmax_t imaxabs strtoimax"},
    {"charconv", "from_chars to_chars"},
};

const std::map<std::string, std::string, std::less<>>& headers_by_name() {
    static const std::map<std::string, std::string, std::less<>> table = [] {
        std::map<std::string, std::string, std::less<>> built;
        for (const HeaderNames& row : std_names) {
            std::string_view names = row.names;
            while (!names.empty()) {
                const std::size_t end = std::min(names.find(' '), names.size());
                if (end > 0) built.emplace(std::string(names.substr(0, end)), row.header);
                names.remove_prefix(std::min(end + 1, names.size()));
            }
        }
        return built;
    }();
    return table;
}

}  // namespace

std::string header_of_std_name(std::string_view name) {
    const auto found = headers_by_name().find(name);
    return found == headers_by_name().end() ? std::string() : found->second;
}

std::string similar_std_name(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& [known, header] : headers_by_name()) names.push_back(known);
    const std::vector<std::string> near =
        name.size() < 3 ? std::vector<std::string>() : similar_words(name, names);
    return near.empty() ? std::string() : near[0];
}

const std::vector<std::string>& known_headers() {
    static const std::vector<std::string> headers = [] {
        std::vector<std::string> all = {"xtensor/xarray.hpp",
                                        "xtensor/xtensor.hpp",
                                        "xtensor/xview.hpp",
                                        "xtensor/xio.hpp",
                                        "xtensor/xmath.hpp",
                                        "xtensor/xrandom.hpp",
                                        "xtensor/xadapt.hpp",
                                        "xtensor/xbuilder.hpp",
                                        "xtensor/xsort.hpp",
                                        "xtensor-blas/xlinalg.hpp",
                                        "xcpp/xdisplay.hpp",
                                        "nlohmann/json.hpp",
                                        "omp.h",
                                        "math.h",
                                        "stdio.h",
                                        "stdlib.h",
                                        "string.h",
                                        "unistd.h",
                                        "pthread.h"};
        for (const HeaderNames& row : std_names) all.emplace_back(row.header);
        return all;
    }();
    return headers;
}

}  // namespace xcpp_session
