"""Definitions of the ratio metrics in exact fractions; None is undefined (0/0).

Written from the definitions, class by class, without a look at the formulas of the library.
"""

from fractions import Fraction


def over(above, below):
    """Return the quotient, or None where it is undefined or infinite."""
    return Fraction(above) / Fraction(below) if below else None


def harmonic(one, two):
    """Return the harmonic mean, or None where there is none."""
    if one is None or two is None or one + two == 0:
        return None
    return 2 * one * two / (one + two)


def mean(values):
    """Return the mean of the defined values."""
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def difference(one, two, minus):
    """Return one + two - minus, or None."""
    return None if one is None or two is None else one + two - minus


def optimized_precision(tp, fp, fn, tn):
    """Return the accuracy less how far recall and specificity are apart, over their sum."""
    recall, specificity = over(tp, tp + fn), over(tn, tn + fp)
    if recall is None or specificity is None or recall + specificity == 0:
        return None
    apart = abs(specificity - recall) / (specificity + recall)
    return over(tp + tn, tp + fp + fn + tn) - apart


CLASS = {
    "precision": lambda tp, fp, fn, tn: over(tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: over(tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: over(tn, tn + fp),
    "npv": lambda tp, fp, fn, tn: over(tn, tn + fn),
    "fpr": lambda tp, fp, fn, tn: over(fp, tn + fp),
    "fnr": lambda tp, fp, fn, tn: over(fn, tp + fn),
    "fdr": lambda tp, fp, fn, tn: over(fp, tp + fp),
    "for_rate": lambda tp, fp, fn, tn: over(fn, tn + fn),
    "f1": lambda tp, fp, fn, tn: over(2 * tp, 2 * tp + fp + fn),
    "f1_negative": lambda tp, fp, fn, tn: over(2 * tn, 2 * tn + fp + fn),
    "fbeta(3)": lambda tp, fp, fn, tn: over(10 * tp, 10 * tp + 9 * fn + fp),
    "jaccard": lambda tp, fp, fn, tn: over(tp, tp + fp + fn),
    "accuracy_binary": lambda tp, fp, fn, tn: over(tp + tn, tp + fp + fn + tn),
    "error_binary": lambda tp, fp, fn, tn: over(fp + fn, tp + fp + fn + tn),
    "prevalence": lambda tp, fp, fn, tn: over(tp + fn, tp + fp + fn + tn),
    "predicted_prevalence": lambda tp, fp, fn, tn: over(tp + fp, tp + fp + fn + tn),
    "balanced_accuracy_binary": lambda tp, fp, fn, tn: (
        None if 0 in (tp + fn, tn + fp) else (over(tp, tp + fn) + over(tn, tn + fp)) / 2
    ),
    "informedness": lambda tp, fp, fn, tn: difference(over(tp, tp + fn), over(tn, tn + fp), 1),
    "markedness": lambda tp, fp, fn, tn: difference(over(tp, tp + fp), over(tn, tn + fn), 1),
    "lr_positive": lambda tp, fp, fn, tn: over(tp * (fp + tn), (tp + fn) * fp),
    "lr_negative": lambda tp, fp, fn, tn: over(fn * (fp + tn), (tp + fn) * tn),
    "diagnostic_odds_ratio": lambda tp, fp, fn, tn: over(tp * tn, fp * fn),
    "equitable_threat_score": lambda tp, fp, fn, tn: over(
        tp * tn - fp * fn, tp * tn - fp * fn + (tp + fp + fn + tn) * (fp + fn)
    ),
    "kappa_binary": lambda tp, fp, fn, tn: over(
        2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    ),
    "yule_q": lambda tp, fp, fn, tn: over(tp * tn - fp * fn, tp * tn + fp * fn),
    "optimized_precision": optimized_precision,
    "tn": lambda tp, fp, fn, tn: Fraction(tn),
}


class Exact:
    """A table of Python integers, and its metrics as fractions."""

    def __init__(self, table):
        self.cells = [[int(cell) for cell in line] for line in table]
        self.k = len(self.cells)
        self.rows = [sum(line) for line in self.cells]
        self.cols = [sum(line) for line in zip(*self.cells, strict=True)]
        self.diag = [self.cells[i][i] for i in range(self.k)]
        self.n = sum(self.rows)

    def one_vs_rest(self, i):
        """Return tp, fp, fn, tn of class i."""
        tp = self.diag[i]
        fp, fn = self.cols[i] - tp, self.rows[i] - tp
        return tp, fp, fn, self.n - tp - fp - fn

    def each(self, name):
        """Return the class metric of every class."""
        return [CLASS[name](*self.one_vs_rest(i)) for i in range(self.k)]

    def average(self, name, average):
        """Return the macro, micro, weighted or one-vs-one average of a class metric."""
        if average == "macro":
            return mean(self.each(name))
        if average == "micro":
            cells = [self.one_vs_rest(i) for i in range(self.k)]
            return CLASS[name](*(sum(part) for part in zip(*cells, strict=True)))
        if average == "weighted":
            pairs = zip(self.each(name), self.rows, strict=True)
            defined = [(value, row) for value, row in pairs if value is not None]
            return over(sum(v * r for v, r in defined), sum(r for _, r in defined))
        c, k = self.cells, range(self.k)
        return mean(CLASS[name](c[i][i], c[j][i], c[i][j], c[j][j]) for i in k for j in k if i != j)

    def disagreement(self, power):
        """Return kappa of ordered classes from the cost |i - j| ** power, seen and by chance."""
        cells = [(i, j) for i in range(self.k) for j in range(self.k)]
        seen = sum(abs(i - j) ** power * self.cells[i][j] for i, j in cells)
        chance = sum(abs(i - j) ** power * self.rows[i] * self.cols[j] for i, j in cells)
        return None if chance == 0 else 1 - Fraction(seen * self.n, chance)

    def of_ratings(self, distance):
        """Return Krippendorff's alpha of the costs distance(i, j), and the coefficient of Gwet."""
        pairs = [(i, j) for i in range(self.k) for j in range(self.k)]
        rated = [row + col for row, col in zip(self.rows, self.cols, strict=True)]
        seen = sum(distance(i, j) * self.cells[i][j] for i, j in pairs)
        chance = sum(distance(i, j) * rated[i] * rated[j] for i, j in pairs)
        alpha = over(chance - 2 * (2 * self.n - 1) * seen, chance)
        largest = max(distance(i, j) for i, j in pairs)
        weights = sum(1 - Fraction(distance(i, j), largest) for i, j in pairs)
        unlike = 1 - Fraction(sum(m * m for m in rated), 4 * self.n**2)
        expected = weights * unlike / (self.k * (self.k - 1))
        agreed = 1 - Fraction(seen, largest * self.n)
        return alpha, over(agreed - expected, 1 - expected)

    def beyond_chance(self):
        """Return agreement beyond other models of chance, by name."""
        agreed = Fraction(sum(self.diag), self.n)
        rated = [row + col for row, col in zip(self.rows, self.cols, strict=True)]
        shared = Fraction(sum(m * m for m in rated), 4 * self.n**2)
        alpha, ac1 = self.of_ratings(lambda i, j: int(i != j))
        linear, ac2_linear = self.of_ratings(lambda i, j: abs(i - j))
        quadratic, ac2_quadratic = self.of_ratings(lambda i, j: (i - j) ** 2)
        squares = sum(cell * cell for cell in self.diag)
        products = sum(r * c for r, c in zip(self.rows, self.cols, strict=True))
        return {
            "expected_accuracy_unbiased": shared,
            "scott_pi": over(agreed - shared, 1 - shared),
            "krippendorff_alpha": alpha,
            "krippendorff_alpha_linear": linear,
            "krippendorff_alpha_quadratic": quadratic,
            "gwet_ac1": ac1,
            "gwet_ac2_linear": ac2_linear,
            "gwet_ac2_quadratic": ac2_quadratic,
            "bennett_s": over(self.k * agreed - 1, self.k - 1),
            "bangdiwala_b": over(squares, products),
        }

    def whole(self):
        """Return the ratio metrics of the whole table, by name."""
        n, agreed = self.n, Fraction(sum(self.diag), self.n)
        chance = Fraction(sum(r * c for r, c in zip(self.rows, self.cols, strict=True)), n * n)
        recall, precision = mean(self.each("recall")), mean(self.each("precision"))
        used = sum(row > 0 for row in self.rows)
        return (
            {
                "accuracy": agreed,
                "error": 1 - agreed,
                "hamming_loss": 1 - agreed,
                "zero_one_loss": 1 - agreed,
                "balanced_accuracy": recall,
                "balanced_accuracy_adjusted": over(
                    recall - Fraction(1, used), 1 - Fraction(1, used)
                ),
                "balanced_accuracy_weighted": agreed / self.k,
                "kappa": over(agreed - chance, 1 - chance),
                "kappa_linear": self.disagreement(1),
                "kappa_quadratic": self.disagreement(2),
                "expected_accuracy": chance,
                "nir": Fraction(max(self.rows), n),
                "imbalance_ratio": Fraction(min(self.rows), max(self.rows)),
                "f1_of_macros": harmonic(precision, recall),
            }
            | self.pairs()
            | self.beyond_chance()
        )

    def pairs(self):
        """Return the pair-counting metrics, from ordered pairs of rows."""
        together = sum(cell * (cell - 1) for line in self.cells for cell in line)
        truth = sum(row * (row - 1) for row in self.rows)
        pred = sum(col * (col - 1) for col in self.cols)
        everything = self.n * (self.n - 1)
        chance = over(truth * pred, everything)
        return {
            "rand": over(everything + 2 * together - truth - pred, everything),
            "adjusted_rand": over(together - chance, Fraction(truth + pred, 2) - chance),
            "pair_jaccard": over(together, truth + pred - together),
        }
