"""A keyword index in plain Python: BM25 over English words and pairs of Japanese characters."""

import json
import math
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from pathlib import Path

K1 = 1.2
B = 0.75
TITLE_COUNT = 2

JAPANESE_RUN = re.compile(r"[\u3005\u3040-\u309f\u30a0-\u30ff\u3400-\u9fff]+")
ENGLISH_WORD = re.compile(r"[a-z0-9]+")
HIRAGANA = re.compile(r"[\u3040-\u309fー]+")
STOP_WORDS = frozenset(
    """a an and any are as at be been but by can could did do does for from had has have how i if in into is it its
    may me my no not of on or our shall should so such than that the their them then there these they this those to
    under us was we were what when where which who whom whose why will with would you your""".split()
)


def tokenize(text: str) -> list[str]:
    """Terms of a text; width and case are folded, pairs of hiragana alone (endings, particles) are left out."""
    folded = unicodedata.normalize("NFKC", text).lower()
    words = [singular(word) for word in ENGLISH_WORD.findall(folded) if word not in STOP_WORDS]
    pairs = [run[at : at + 2] for run in JAPANESE_RUN.findall(folded) for at in range(len(run) - 1)]
    return words + [pair for pair in pairs if not HIRAGANA.fullmatch(pair)]


def singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and re.search("[^su]s$", word) else word


class Index:
    """Documents `{id, title, text, ...}` that can be searched; equal scores are ordered by id."""

    def __init__(self, documents: list[dict]):
        self.documents = documents
        self.counts = [Counter(document_terms(document)) for document in documents]
        self.lengths = [sum(counts.values()) for counts in self.counts]
        self.mean_length = sum(self.lengths) / max(1, len(documents))
        self.document_counts = Counter(term for counts in self.counts for term in counts)

    def search(self, query: str, top_k: int) -> list[dict]:
        terms = set(tokenize(query))
        scored = [(self.score(number, terms), document) for number, document in enumerate(self.documents)]
        found = [pair for pair in scored if pair[0] > 0]
        found.sort(key=lambda pair: (-round(pair[0], 4), pair[1]["id"]))
        return [{**document, "score": round(score, 4)} for score, document in found[:top_k]]

    def score(self, number: int, terms: set[str]) -> float:
        counts = self.counts[number]
        norm = 1 - B + B * self.lengths[number] / self.mean_length
        return sum(
            self.rarity(term) * counts[term] * (K1 + 1) / (counts[term] + K1 * norm)
            for term in sorted(terms)
            if term in counts
        )

    def rarity(self, term: str) -> float:
        count = self.document_counts[term]
        return math.log(1 + (len(self.documents) - count + 0.5) / (count + 0.5))


@lru_cache
def open_index(path: Path) -> Index:
    lines = path.read_text(encoding="utf-8").splitlines()
    return Index([json.loads(line) for line in lines if line.strip()])


def document_terms(document: dict) -> list[str]:
    others = [value for key, value in document.items() if key not in ("id", "title", "text")]
    texts = [document["text"], *(text for value in others for text in texts_of(value))]
    return tokenize(document["title"]) * TITLE_COUNT + [term for text in texts for term in tokenize(text)]


def texts_of(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for child in children for text in texts_of(child)]
