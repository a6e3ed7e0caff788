"""A check that has run to its end prints a secret number. It is created after the student's code
has run, and that code never sees it."""

import secrets


def new_nonce():
    return "lanes-" + secrets.token_hex(16)


def with_nonce(source, nonce):
    """The check's cell, followed by the number. A last line without a semicolon is a score and
    stays last."""
    says = f'std::cout << "\\n{nonce}\\n" << std::flush;'
    body, newline, last = source.rstrip().rpartition("\n")
    if last.rstrip().endswith((";", "}")) or last.lstrip().startswith(("//", "#")):
        return f"{source}\n{says}"
    return f"{body}{newline}{says}\n{last}"


def take_nonce(outputs, nonce):
    """(whether the number was printed, the outputs without it)"""
    confirmed, kept = False, []
    for output in outputs:
        printed = output.output_type == "stream" and output.name == "stdout"
        if printed and f"\n{nonce}\n" in output.text:
            confirmed = True
            output.text = output.text.replace(f"\n{nonce}\n", "")
            if not output.text:
                continue
        kept.append(output)
    return confirmed, kept
