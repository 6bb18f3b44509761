"""Figures of reference implementations, one JSON object a line, for published-cases.test.ts.

    pip install sacrebleu==2.6.0 rouge-score==0.1.2 scikit-learn scipy==1.17.1 statsmodels==0.15.0
    python record-published-cases.py 12 > published-cases.jsonl

The argument is the number of cases of each kind; the random stream is seeded.
"""

import json
import random
import sys

import numpy
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF
from scipy.stats import bootstrap, norm
from sklearn.metrics import average_precision_score, ndcg_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

english = "the a cat dog sat on mat consent law personal data is not needed when third party".split()
japanese = "個人 情報 の 取扱い を 委託 する 場合 同意 は 要り ません 第三者 に 提供 猫 が 好き です".split()


class BySpaces:
    def tokenize(self, text):
        return text.split()


def texts(rng):
    words = rng.choice([english, japanese])
    reference = [rng.choice(words) for _ in range(rng.randint(1, 14))]
    text = [word for word in reference if rng.random() < 0.7] or [rng.choice(words)]
    for _ in range(rng.randint(0, 4)):
        text.insert(rng.randint(0, len(text)), rng.choice(words))
    if rng.random() < 0.2:
        rng.shuffle(text)
    return " ".join(text), " ".join(reference)


def text_case(rng):
    text, reference = texts(rng)
    rouge = rouge_scorer.RougeScorer(["rougeL"], tokenizer=BySpaces())
    return {
        "of": "text",
        "given": [text, reference],
        "bleu": BLEU(effective_order=True, tokenize="none").sentence_score(text, [reference]).score / 100,
        "chrf": CHRF().sentence_score(text, [reference]).score / 100,
        "rougeL": rouge.score(reference, text)["rougeL"].fmeasure,
    }


def ranking_case(rng):
    count = rng.randint(2, 12)
    gains = [rng.choice([0, 0, 1, 2, 3]) for _ in range(count)]
    scores = [rng.randint(0, 5) for _ in range(count)]
    k = rng.randint(1, count)
    relevant = [rng.random() < 0.4 for _ in range(count)]
    relevant[rng.randrange(count)] = True
    places = list(range(count, 0, -1))
    return {
        "of": "ranking",
        "given": [gains, scores, k, relevant],
        "ndcgOfScores": float(ndcg_score([gains], [scores], k=k)),
        "ndcg": float(ndcg_score([[int(one) for one in relevant]], [places], k=k)),
        "averagePrecision": float(average_precision_score(relevant, places)),
    }


def flips_case(rng):
    fixed, broken = rng.randint(0, 60), rng.randint(0, 60)
    return {"of": "flips", "given": [fixed, broken], "p": float(mcnemar([[5, fixed], [broken, 5]], exact=True).pvalue)}


def tests_case(rng):
    ps = [round(rng.random() ** 3, 6) for _ in range(rng.randint(1, 40))]
    return {"of": "tests", "given": ps, "adjusted": [float(p) for p in multipletests(ps, method="fdr_bh")[1]]}


def share_case(rng):
    count = rng.randint(2, 500)
    passed = rng.choice([0, count, rng.randint(0, count)])
    low, high = proportion_confint(passed, count, method="wilson")
    return {"of": "share", "given": [passed, count], "low": float(low), "high": float(high)}


def normal_case(rng):
    share = rng.random()
    return {"of": "normal", "given": share, "quantile": float(norm.ppf(share))}


def mean_case(rng):
    count = rng.randint(15, 80)
    values = [round(rng.choice([rng.random(), rng.random() ** 3, rng.expovariate(1)]), 4) for _ in range(count)]
    found = bootstrap((values,), numpy.mean, method="BCa", n_resamples=20000, rng=numpy.random.default_rng(1))
    low, high = found.confidence_interval
    return {"of": "mean", "given": values, "low": float(low), "high": float(high)}


kinds = [text_case, ranking_case, flips_case, tests_case, share_case, normal_case, mean_case]
cases = int(sys.argv[1])
for kind in kinds:
    rng = random.Random(f"{kind.__name__} 1")
    for _ in range(cases):
        print(json.dumps(kind(rng), ensure_ascii=False))
