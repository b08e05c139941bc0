from __future__ import annotations

from sentence_matching import Mismatch, contains_sentence, matches_sentence


def test_numbers_and_names_are_compared_in_order():
    sentence = "Between 0.0 and 1.2 points, FSRS-6 was better than Anki's SM-2."
    different = (
        "Between 1.2 and 0.0 points, FSRS-6 was better than Anki's SM-2.",
        "Between 0.0 and 1.2 points, Anki's SM-2 was better than FSRS-6.",
        "Between 0.0 and 1.3 points, FSRS-6 was better than Anki's SM-2.",
        "FSRS-6 was better than Anki's SM-2, between 0.0 and 1.2 points.",
    )
    for compare in (matches_sentence, contains_sentence):
        assert compare(sentence, sentence)
        assert not any(compare(text, sentence) for text in different)
    assert contains_sentence(f"It has 7 reviews. {sentence} That is 9.", sentence)


def test_failed_comparison_shows_what_is_different():
    text, example = "Of 12 cards, SM-2 has 30 reviews.", "Of 12 decks, SM-2 has 40 scored reviews."
    expected = Mismatch(lacks=["decks", "40", "scored"], has=["30"], expected=["40"])
    assert (matches_sentence(text, example), contains_sentence(text, example)) == (expected, expected)
