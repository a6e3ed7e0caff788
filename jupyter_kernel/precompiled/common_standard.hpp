// Common operations of the standard library and of json, for the library of instantiations: see
// common_operations.hpp. Nothing here is ever called.
#pragma once

namespace xcpp::precompiled {

template <class T>
void use_vector() {
    std::vector<T> v = {T(), T()}, sized(3), filled(3, T()), copy = v;
    v.push_back(T());
    v.emplace_back(T());
    v.resize(4);
    v.reserve(8);
    v.insert(v.begin(), T());
    v.erase(v.begin());
    v = copy;
    v = std::move(copy);
    v.clear();
    use_shown(v);
    std::sort(v.begin(), v.end());
    std::vector<std::vector<T>> nested = {v, v};
    nested.push_back(v);
    use_shown(nested);
}

template <class T>
void use_future() {
    std::promise<T> promise;
    std::future<T> future = promise.get_future();
    if constexpr (std::is_void_v<T>)
        promise.set_value();
    else
        promise.set_value(T());
    future.get();
    std::async(std::launch::async, [] { return T(); }).get();
}

// text: std::string or const char*
template <class Text, class Match>
void use_regex(const Text& text, const std::regex& pattern, Match match) {
    use(std::regex_match(text, pattern));
    use(std::regex_match(text, match, pattern));
    use(std::regex_search(text, pattern));
    use(std::regex_search(text, match, pattern));
    use(std::regex_replace(text, pattern, "b"));
    use(std::regex_replace(text, pattern, std::string("b")));
    use(match.size() + match.position(0) + match.length(0));
    use(match[0].str() + match.str(1) + match.prefix().str() + match.suffix().str());
    // NOLINTNEXTLINE(performance-for-range-copy,readability-redundant-string-conversions): as cells
    for (const auto& part : match) use(part.str());
}

inline void use_regular_expressions() {
    const std::string text = "a";
    const std::regex pattern("a"), from_string(text), insensitive("a", std::regex::icase);
    use_regex(text, pattern, std::smatch());
    use_regex("a", pattern, std::cmatch());
    std::sregex_iterator matches(text.begin(), text.end(), pattern), end;
    for (; matches != end; ++matches) use((*matches)[0].str() + matches->str());
    std::sregex_token_iterator words(text.begin(), text.end(), pattern, -1), no_words;
    std::vector<std::string> parts(words, no_words);
    for (; words != no_words; ++words) use(words->str());
}

inline void use_standard_library() {
    use_vector<int>();
    use_vector<float>();
    use_vector<double>();
    use_vector<std::string>();
    std::string text = "a", more = text + "b" + std::to_string(1) + text;
    more += "c";
    use(more);
    use(text == more);
    // NOLINTBEGIN(performance-avoid-endl): as cells write it
    std::cout << "text" << text << 1 << 1.0 << 1.0f << 'c' << 1L << std::size_t(1) << true
              << std::endl;
    std::cerr << "text" << std::endl;
    // NOLINTEND(performance-avoid-endl)
    std::map<std::string, int> counts = {{"a", 1}};
    counts["b"] = 2;
    counts[text] = 3;
    counts.erase("a");
    use_shown(counts);
    std::map<std::string, std::vector<int>> groups = {{"a", {1, 2}}};
    groups["b"].push_back(1);
    groups[text] = {1, 2};
    use_shown(groups);
    std::map<int, int> numbers = {{1, 2}};
    numbers[2] = 3;
    use_shown(numbers);
    std::unordered_map<std::string, int> hashed = {{"a", 1}};
    hashed["b"] = 2;
    hashed[text] = 3;
    use_shown(hashed);
    std::set<int> unique = {1, 2};
    unique.insert(3);
    use_shown(unique);
    use_shown(std::pair<int, double>(1, 2.0));
    use_shown(std::make_unique<int>(1));
    use_shown(std::make_shared<int>(1));
    std::ostringstream stream;
    stream << text << 1 << 1.5;
    use(stream.str());
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> whole(0, 9);
    use(uniform(engine) + normal(engine) + whole(engine));
    std::thread([] {}).join();
    use_future<void>();
    use_future<int>();
    use_future<double>();
    std::function<int(int)> function;
    throw std::runtime_error(text);
}

inline void use_json() {
    nlohmann::json value = nlohmann::json::object(), list = {1, 2.5, "text", true},
                   parsed = nlohmann::json::parse("{}");
    value["text/plain"] = "text";
    value["a"] = 1;
    value["b"] = 1.5;
    value["c"] = std::string("text");
    value["d"] = list;
    nlohmann::json pairs = {{"a", 1}, {"b", "text"}};
    list.push_back(1);
    use(value);
    use(value.dump());
    use(value.dump(2));
    use(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace xcpp::precompiled
