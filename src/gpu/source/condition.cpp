#include "condition.hpp"

#include <cstdlib>
#include <string>

namespace lanes::gpu {

namespace {

class Condition {
public:
    explicit Condition(const std::vector<Token>& tokens) : tokens_(tokens) {}

    long long choice() {
        const long long value = binary(0);
        if (!take("?")) return value;
        const long long yes = choice();
        take(":");
        const long long no = choice();
        return value ? yes : no;
    }

private:
    bool at(const char* what) const {
        return position_ < tokens_.size() && tokens_[position_].is(what);
    }

    bool take(const char* what) {
        if (!at(what)) return false;
        ++position_;
        return true;
    }

    static int strength(const std::string& what) {
        static const char* const levels[][4] = {{"||"},
                                                {"&&"},
                                                {"|"},
                                                {"^"},
                                                {"&"},
                                                {"==", "!="},
                                                {"<", ">", "<=", ">="},
                                                {"<<", ">>"},
                                                {"+", "-"},
                                                {"*", "/", "%"}};
        for (int level = 0; level < 10; ++level)
            for (const char* symbol : levels[level])
                if (symbol && what == symbol) return level;
        return -1;
    }

    // The lexer leaves ">>" as two tokens.
    std::string symbol() const {
        if (position_ >= tokens_.size()) return "";
        if (at(">") && position_ + 1 < tokens_.size() && tokens_[position_ + 1].is(">"))
            return ">>";
        return tokens_[position_].text;
    }

    long long binary(int level) {
        long long left = unary();
        for (;;) {
            const std::string what = symbol();
            const int here = strength(what);
            if (here < level) return left;
            position_ += what == ">>" ? 2 : 1;
            left = apply(what, left, binary(here + 1));
        }
    }

    static long long apply(const std::string& what, long long a, long long b) {
        if (what == "||") return a || b;
        if (what == "&&") return a && b;
        if (what == "|") return a | b;
        if (what == "^") return a ^ b;
        if (what == "&") return a & b;
        if (what == "==") return a == b;
        if (what == "!=") return a != b;
        if (what == "<") return a < b;
        if (what == ">") return a > b;
        if (what == "<=") return a <= b;
        if (what == ">=") return a >= b;
        if (what == "<<")
            return b < 0 || b > 62
                       ? 0
                       : static_cast<long long>(static_cast<unsigned long long>(a) << b);
        if (what == ">>") return b < 0 || b > 62 ? 0 : a >> b;
        // In unsigned arithmetic: an overflow in the text must not be undefined behaviour here.
        const auto x = static_cast<unsigned long long>(a), y = static_cast<unsigned long long>(b);
        if (what == "+") return static_cast<long long>(x + y);
        if (what == "-") return static_cast<long long>(x - y);
        if (what == "*") return static_cast<long long>(x * y);
        if (b == 0 || b == -1) return b == 0 ? 0 : what == "/" ? static_cast<long long>(0 - x) : 0;
        return what == "/" ? a / b : a % b;
    }

    long long unary() {
        if (take("!")) return !unary();
        if (take("-")) return static_cast<long long>(0 - static_cast<unsigned long long>(unary()));
        if (take("+")) return unary();
        if (take("~")) return ~unary();
        if (take("(")) {
            const long long value = choice();
            take(")");
            return value;
        }
        if (position_ >= tokens_.size()) return 0;
        const Token& token = tokens_[position_++];
        if (token.kind == Token::Kind::number)
            return static_cast<long long>(std::strtoull(token.text.c_str(), nullptr, 0));
        return token.is("true");
    }

    const std::vector<Token>& tokens_;
    std::size_t position_ = 0;
};

}  // namespace

bool condition_holds(const std::vector<Token>& tokens) { return Condition(tokens).choice() != 0; }

}  // namespace lanes::gpu
