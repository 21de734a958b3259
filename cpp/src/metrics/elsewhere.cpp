// Numbers that are no rows: they have options, make tables, or are of more than a matrix.
#include "confmat/metrics/elsewhere.hpp"

#include <array>

#include "name_text.hpp"

namespace confmat::metrics {
namespace {

using Place = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kAc2 =
    "m.gwet_ac2_linear, m.gwet_ac2_quadratic, cm.gwet_ac2(y_true, y_pred, weights=weights) or "
    "m.agreement(weights)";

constexpr std::string_view kAlpha =
    "m.krippendorff_alpha_linear, m.krippendorff_alpha_quadratic, "
    "cm.weighted_alpha(y_true, y_pred, weights=weights) or m.agreement(weights)";

constexpr std::string_view kMeanAccuracy =
    "m.balanced_accuracy (the mean recall, AA of remote sensing) or m.accuracy_binary_macro (the "
    "mean of the accuracy of each class against the rest)";

constexpr std::string_view kMacroGmean =
    "math.sqrt(m.recall_macro * m.specificity_macro) (or m.gmean_macro, the mean over the classes)";

constexpr std::string_view kWeightedGmean =
    "math.sqrt(m.recall_weighted * m.specificity_weighted) (or m.gmean_weighted, the mean over the "
    "classes)";

constexpr std::array<Place, 68> kPlaces{{
    {"average_accuracy", kMeanAccuracy},
    {"mean_accuracy", kMeanAccuracy},
    {"mutual_info_score",
     "m.mutual_information (in bits) or m.mutual_information * math.log(2) (in nats, as that of "
     "scikit-learn)"},
    {"adjusted_mutual_info_score", "m.adjusted_mutual_information()"},
    {"adjusted_mutual_information", "m.adjusted_mutual_information()"},
    {"ami", "m.adjusted_mutual_information()"},
    {"aickin_alpha", "m.aickin_alpha()"},
    {"ac2", kAc2},
    {"gwet_ac2", kAc2},
    {"weighted_alpha", kAlpha},
    {"weighted_kappa", "m.kappa_linear, m.kappa_quadratic or m.agreement(weights)"},
    {"chi2", "m.test('chi2').statistic"},
    {"chi_square", "m.test('chi2').statistic"},
    {"chi_squared", "m.test('chi2').statistic"},
    {"fleiss_kappa", "cm.fleiss_kappa(ratings)"},
    {"prevalence_adjusted_ppv", "m.at_prevalence(share).precision"},
    {"prevalence_adjusted_npv", "m.at_prevalence(share).npv"},
    {"aunu", "m.balanced_accuracy_binary_macro"},
    {"aunp", "m.balanced_accuracy_binary_weighted"},
    {"csi",
     "m.classification_success_index (CSI of PyCM) or m.jaccard (the critical success index)"},
    // Of sets of labels.
    {"exact_match", "cm.multilabel(true_sets, pred_sets).exact_match"},
    {"subset_accuracy", "cm.multilabel(true_sets, pred_sets).exact_match"},
    {"precision_samples", "cm.multilabel(true_sets, pred_sets).precision_samples"},
    {"recall_samples", "cm.multilabel(true_sets, pred_sets).recall_samples"},
    {"f1_samples", "cm.multilabel(true_sets, pred_sets).f1_samples"},
    {"jaccard_samples", "cm.multilabel(true_sets, pred_sets).jaccard_samples"},
    // Averages of imbalanced-learn.
    {"geometric_mean_score_multiclass", "m.recall_geometric"},
    {"geometric_mean_score_macro", kMacroGmean},
    {"geometric_mean_score_weighted", kWeightedGmean},
    {"geometric_mean_score_micro", "m.gmean_micro"},
    {"flip_rate", "cm.joint_matrix(y_true, a, b).flips()"},
    {"hosmer_lemeshow", "s.test('hosmer_lemeshow')"},
    {"spiegelhalter", "s.test('spiegelhalter')"},
    {"classwise_ece", "k.classwise_ece"},
    {"d2_brier", "k.d2_brier"},
    {"d2_brier_score", "k.d2_brier"},
    {"ranked_probability_score", "k.ranked_probability_score"},
    {"rps", "k.ranked_probability_score"},
    {"top_k_accuracy", "k.value('top_k_accuracy', k=2)"},
    {"top_k_accuracy_score", "k.value('top_k_accuracy', k=2)"},
    {"top_label_ece", "k.top_label_ece"},
    // Keys of PyCM.
    {"Zero-one Loss", "m.n - m.counts.trace()"},
    {"RR", "m.n / len(m.labels)"},
    {"CEN", "m.class_entropies()"},
    {"MCEN", "m.class_entropies()"},
    {"Chi-Squared", "m.test('chi2').statistic"},
    {"Chi-Squared DF", "m.test('chi2').df"},
    {"P-Value", "m.test('nir').p_value"},
    {"95% CI", "m.ci('accuracy')"},
    {"Standard Error", "m.ci('accuracy', method='delta').se"},
    {"Kappa 95% CI", "m.ci('kappa')"},
    {"Kappa Standard Error", "m.ci('kappa').se"},
    {"PLRI", "m.interpretation('lr_positive')"},
    {"NLRI", "m.interpretation('lr_negative')"},
    {"DPI", "m.interpretation('discriminant_power')"},
    {"AUCI", "m.interpretation('balanced_accuracy_binary')"},
    {"MCCI", "m.interpretation('mcc_binary')"},
    {"QI", "m.interpretation('yule_q')"},
    {"SOA1", "m.interpretation('kappa')"},
    {"SOA2", "m.interpretation('kappa')"},
    {"SOA3", "m.interpretation('kappa')"},
    {"SOA4", "m.interpretation('kappa')"},
    {"SOA5", "m.interpretation('cramer_v')"},
    {"SOA6", "m.interpretation('mcc')"},
    {"SOA7", "m.interpretation('lambda_true_given_pred')"},
    {"SOA8", "m.interpretation('lambda_pred_given_true')"},
    {"SOA9", "m.interpretation('krippendorff_alpha')"},
    {"SOA10", "m.interpretation('contingency_coefficient')"},
}};

std::string_view owner_of(std::string_view place) {
  if (place.starts_with("m.")) return "a matrix m has it as ";
  if (place.starts_with("s.")) return "a sweep s of scores has it as ";
  if (place.starts_with("k.")) return "k, a cm.multiclass_sweep(y_true, scores), has it as ";
  return "it is ";
}

}  // namespace

std::span<const Place> elsewhere() { return kPlaces; }

std::string told_elsewhere(std::string_view name) {
  const auto told = [name](std::string_view place) {
    return (quoted(name) + " is no name of a metric; ").append(owner_of(place)).append(place);
  };
  for (const auto& [known, place] : kPlaces) {
    if (known == name) return told(place);
  }
  for (const auto& [known, place] : kPlaces) {
    if (known == lowered(name)) return told(place);
  }
  return "";
}

}  // namespace confmat::metrics
