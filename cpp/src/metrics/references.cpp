// The literature, one line a key.
#include "confmat/metrics/references.hpp"

#include <utility>

namespace confmat::metrics {
namespace {

constexpr std::pair<std::string_view, std::string_view> kReferences[] = {
    {"Baccianella2009",
     "Baccianella, Esuli and Sebastiani (2009), Evaluation measures for ordinal regression, "
     "ISDA, doi:10.1109/ISDA.2009.230"},
    {"Balayla2020",
     "Balayla (2020), Prevalence threshold and the geometry of screening curves, PLOS ONE 15, "
     "doi:10.1371/journal.pone.0240215"},
    {"Batuwita2012",
     "Batuwita and Palade (2012), Adjusted geometric-mean: a novel performance measure for "
     "imbalanced bioinformatics datasets learning, Journal of Bioinformatics and Computational "
     "Biology 10, doi:10.1142/S0219720012500035"},
    {"Bennett1954",
     "Bennett, Alpert and Goldstein (1954), Communications through limited-response "
     "questioning, Public Opinion Quarterly 18, doi:10.1086/266520"},
    {"Blasiok2024",
     "Blasiok and Nakkiran (2024), Smooth ECE: principled reliability diagrams via kernel "
     "smoothing, "
     "ICLR, arXiv:2309.12236"},
    {"BraunBlanquet1932",
     "Braun-Blanquet (1932), Plant Sociology: the Study of Plant Communities, McGraw-Hill"},
    {"Bray1957",
     "Bray and Curtis (1957), An ordination of the upland forest communities of southern "
     "Wisconsin, Ecological Monographs 27, doi:10.2307/1942268"},
    {"Brier1950",
     "Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather "
     "Review "
     "78, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2"},
    {"Brin1997",
     "Brin, Motwani, Ullman and Tsur (1997), Dynamic itemset counting and implication rules "
     "for market basket data, SIGMOD, doi:10.1145/253260.253325"},
    {"Brodersen2010",
     "Brodersen, Ong, Stephan and Buhmann (2010), The balanced accuracy and its posterior "
     "distribution, ICPR, doi:10.1109/ICPR.2010.764"},
    {"Byrt1993",
     "Byrt, Bishop and Carlin (1993), Bias, prevalence and kappa, Journal of Clinical "
     "Epidemiology 46, doi:10.1016/0895-4356(93)90018-V"},
    {"Cohen1960",
     "Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological "
     "Measurement 20, doi:10.1177/001316446002000104"},
    {"Cohen1968", "Cohen (1968), Weighted kappa, Psychological Bulletin 70, doi:10.1037/h0026256"},
    {"Cramer1946", "Cramer (1946), Mathematical Methods of Statistics, Princeton"},
    {"Davis2006",
     "Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML, "
     "doi:10.1145/1143844.1143874"},
    {"Deeks2004",
     "Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, BMJ 329, "
     "doi:10.1136/bmj.329.7458.168"},
    {"Delgado2019",
     "Delgado and Nunez-Gonzalez (2019), Enhancing confusion entropy (CEN) for binary and "
     "multiclass classification, PLOS ONE 14, doi:10.1371/journal.pone.0210264"},
    {"Dembele2025", "Dembele (2025), arXiv:2511.01904"},
    {"Fawcett2006",
     "Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27, "
     "doi:10.1016/j.patrec.2005.10.010"},
    {"Ferro2011",
     "Ferro and Stephenson (2011), Extremal dependence indices: improved verification measures "
     "for deterministic forecasts of rare binary events, Weather and Forecasting 26, "
     "doi:10.1175/WAF-D-10-05030.1"},
    {"Flach2015",
     "Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS 28"},
    {"Fowlkes1983",
     "Fowlkes and Mallows (1983), A method for comparing two hierarchical clusterings, JASA 78, "
     "doi:10.1080/01621459.1983.10478008"},
    {"Garcia2009",
     "Garcia, Mollineda and Sanchez (2009), Index of balanced accuracy: a performance measure "
     "for skewed class distributions, IbPRIA, doi:10.1007/978-3-642-02172-5_57"},
    {"Glas2003",
     "Glas, Lijmer, Prins, Bonsel and Bossuyt (2003), The diagnostic odds ratio, Journal of "
     "Clinical Epidemiology 56, doi:10.1016/S0895-4356(03)00177-X"},
    {"Good1952",
     "Good (1952), Rational decisions, Journal of the Royal Statistical Society B 14, "
     "doi:10.1111/j.2517-6161.1952.tb00104.x"},
    {"Goodman1954",
     "Goodman and Kruskal (1954), Measures of association for cross classifications, JASA 49, "
     "doi:10.1080/01621459.1954.10501231"},
    {"Gorodkin2004",
     "Gorodkin (2004), Comparing two K-category assignments by a K-category correlation "
     "coefficient, Computational Biology and Chemistry 28, "
     "doi:10.1016/j.compbiolchem.2004.09.006"},
    {"Grandini2020",
     "Grandini, Bagli and Visani (2020), Metrics for multi-class classification: an overview, "
     "arXiv:2008.05756"},
    {"Green1966", "Green and Swets (1966), Signal Detection Theory and Psychophysics, Wiley"},
    {"Gwet2008",
     "Gwet (2008), Computing inter-rater reliability and its variance in the presence of high "
     "agreement, British Journal of Mathematical and Statistical Psychology 61, "
     "doi:10.1348/000711006X126600"},
    {"Gwet2014",
     "Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, Advanced Analytics"},
    {"Haghighi2018",
     "Haghighi, Jasemi, Hessabi and Zolanvari (2018), PyCM: multiclass confusion matrix "
     "library in Python, Journal of Open Source Software 3, doi:10.21105/joss.00729"},
    {"Hamming1950",
     "Hamming (1950), Error detecting and error correcting codes, Bell System Technical Journal "
     "29, doi:10.1002/j.1538-7305.1950.tb00463.x"},
    {"Hand2001",
     "Hand and Till (2001), A simple generalisation of the area under the ROC curve for multiple "
     "class classification problems, Machine Learning 45, doi:10.1023/A:1010920819831"},
    {"Hand2009",
     "Hand (2009), Measuring classifier performance: a coherent alternative to the area under the "
     "ROC curve, Machine Learning 77, doi:10.1007/s10994-009-5119-5"},
    {"Hand2014",
     "Hand and Anagnostopoulos (2014), A better Beta for the H measure of classification "
     "performance, Pattern Recognition Letters 40, doi:10.1016/j.patrec.2013.12.011"},
    {"Hanley1982",
     "Hanley and McNeil (1982), The meaning and use of the area under a receiver operating "
     "characteristic (ROC) curve, Radiology 143, doi:10.1148/radiology.143.1.7063747"},
    {"Hastie2015",
     "Hastie, Tibshirani and Wainwright (2015), Statistical Learning with Sparsity, CRC Press, "
     "doi:10.1201/b18401"},
    {"Hayes2007",
     "Hayes and Krippendorff (2007), Answering the call for a standard reliability measure for "
     "coding data, Communication Methods and Measures 1, doi:10.1080/19312450709336664"},
    {"Hirschfeld1935",
     "Hirschfeld (1935), A connection between correlation and contingency, Mathematical "
     "Proceedings of the Cambridge Philosophical Society 31, doi:10.1017/S0305004100013517"},
    {"Huber1964",
     "Huber (1964), Robust estimation of a location parameter, Annals of Mathematical Statistics "
     "35, doi:10.1214/aoms/1177703732"},
    {"Hubert1985",
     "Hubert and Arabie (1985), Comparing partitions, Journal of Classification 2, "
     "doi:10.1007/BF01908075"},
    {"Hyndman2006",
     "Hyndman and Koehler (2006), Another look at measures of forecast accuracy, International "
     "Journal of Forecasting 22, doi:10.1016/j.ijforecast.2006.03.001"},
    {"Itai2022", "Itai and Katz (2022), arXiv:2208.05651"},
    {"Jaccard1912",
     "Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11, "
     "doi:10.1111/j.1469-8137.1912.tb05611.x"},
    {"Koenker1978",
     "Koenker and Bassett (1978), Regression quantiles, Econometrica 46, doi:10.2307/1913643"},
    {"Koenker1999",
     "Koenker and Machado (1999), Goodness of fit and related inference processes for quantile "
     "regression, Journal of the American Statistical Association 94, "
     "doi:10.1080/01621459.1999.10473882"},
    {"Kononenko1991",
     "Kononenko and Bratko (1991), Information-based evaluation criterion for classifier's "
     "performance, Machine Learning 6, doi:10.1023/A:1022642017308"},
    {"Kubat1998",
     "Kubat, Holte and Matwin (1998), Machine learning for the detection of oil spills in "
     "satellite radar images, Machine Learning 30, doi:10.1023/A:1007452223027"},
    {"Kuhn2008",
     "Kuhn (2008), Building predictive models in R using the caret package, Journal of "
     "Statistical Software 28, doi:10.18637/jss.v028.i05"},
    {"Kullback1951",
     "Kullback and Leibler (1951), On information and sufficiency, Annals of Mathematical "
     "Statistics 22, doi:10.1214/aoms/1177729694"},
    {"Kumar2019",
     "Kumar, Liang and Ma (2019), Verified uncertainty calibration, NeurIPS, arXiv:1909.10155"},
    {"Kvalseth1985",
     "Kvalseth (1985), Cautionary note about R2, The American Statistician 39, "
     "doi:10.1080/00031305.1985.10479448"},
    {"Kvalseth1987",
     "Kvalseth (1987), Entropy and correlation: some comments, IEEE Transactions on Systems, Man, "
     "and Cybernetics 17, doi:10.1109/TSMC.1987.4309069"},
    {"Labatut2011",
     "Labatut and Cherifi (2011), Evaluation of performance measures for classifiers "
     "comparison, arXiv:1112.4133"},
    {"Lin1989",
     "Lin (1989), A concordance correlation coefficient to evaluate reproducibility, Biometrics "
     "45, doi:10.2307/2532051"},
    {"Maratea2014",
     "Maratea, Petrosino and Manzo (2014), Adjusted F-measure and kernel scaling for "
     "imbalanced data learning, Information Sciences 257, doi:10.1016/j.ins.2013.04.016"},
    {"Martin1997",
     "Martin, Doddington, Kamm, Ordowski and Przybocki (1997), The DET curve in assessment of "
     "detection task performance, Eurospeech, doi:10.21437/Eurospeech.1997-504"},
    {"Matthews1975",
     "Matthews (1975), Comparison of the predicted and observed secondary structure of T4 phage "
     "lysozyme, Biochimica et Biophysica Acta 405, doi:10.1016/0005-2795(75)90109-9"},
    {"McCullagh1989",
     "McCullagh and Nelder (1989), Generalized Linear Models, 2nd ed., Chapman and Hall"},
    {"Mincer1969",
     "Mincer and Zarnowitz (1969), The evaluation of economic forecasts, in Economic Forecasts and "
     "Expectations, NBER"},
    {"Moriasi2007",
     "Moriasi, Arnold, Van Liew, Bingner, Harmel and Veith (2007), Model evaluation guidelines for "
     "systematic quantification of accuracy in watershed simulations, Transactions of the ASABE "
     "50, doi:10.13031/2013.23153"},
    {"Mosley2013",
     "Mosley (2013), A balanced approach to the multi-class imbalance problem, PhD thesis, "
     "Iowa State University, doi:10.31274/etd-180810-3375"},
    {"Munoz1997",
     "Munoz and Bangdiwala (1997), Interpretation of kappa and B statistics measures of "
     "agreement, Journal of Applied Statistics 24, doi:10.1080/02664769723918"},
    {"Murphy1973",
     "Murphy (1973), A new vector partition of the probability score, Journal of Applied "
     "Meteorology 12, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2"},
    {"Naeini2015",
     "Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian "
     "binning, AAAI, doi:10.1609/aaai.v29i1.9602"},
    {"Opitz2019", "Opitz and Burst (2019), Macro F1 and macro F1, arXiv:1911.03347"},
    {"Orriols2009",
     "Orriols-Puig and Bernado-Mansilla (2009), Evolutionary rule-based systems for imbalanced "
     "data sets, Soft Computing 13"},
    {"Pearson1896",
     "Pearson (1896), Mathematical contributions to the theory of evolution III, Philosophical "
     "Transactions of the Royal Society A 187, doi:10.1098/rsta.1896.0007"},
    {"Pearson1904",
     "Pearson (1904), On the theory of contingency and its relation to association and normal "
     "correlation, Drapers Company Research Memoirs"},
    {"PerkinsSchisterman2006",
     "Perkins and Schisterman (2006), The inconsistency of \"optimal\" cutpoints obtained "
     "using two criteria based on the receiver operating characteristic curve, American "
     "Journal of Epidemiology 163, doi:10.1093/aje/kwj063"},
    {"Powers2011",
     "Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, "
     "markedness and correlation, Journal of Machine Learning Technologies 2, arXiv:2010.16061"},
    {"Ranawana2006",
     "Ranawana and Palade (2006), Optimized precision: a new measure for classifier "
     "performance evaluation, IEEE CEC, doi:10.1109/CEC.2006.1688586"},
    {"Rand1971",
     "Rand (1971), Objective criteria for the evaluation of clustering methods, JASA 66, "
     "doi:10.1080/01621459.1971.10482356"},
    {"Rijsbergen1979", "van Rijsbergen (1979), Information Retrieval, 2nd edition, Butterworths"},
    {"RobertEscoufier1976",
     "Robert and Escoufier (1976), A unifying tool for linear multivariate statistical methods: "
     "the RV-coefficient, Applied Statistics 25, doi:10.2307/2347233"},
    {"Rosenberg2007",
     "Rosenberg and Hirschberg (2007), V-measure: a conditional entropy-based external cluster "
     "evaluation measure, EMNLP-CoNLL"},
    {"Schaefer1990",
     "Schaefer (1990), The critical success index as an indicator of warning skill, Weather "
     "and Forecasting 5, doi:10.1175/1520-0434(1990)005<0570:TCSIAA>2.0.CO;2"},
    {"Scott1955",
     "Scott (1955), Reliability of content analysis: the case of nominal scale coding, Public "
     "Opinion Quarterly 19, doi:10.1086/266577"},
    {"Shannon1948",
     "Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27, "
     "doi:10.1002/j.1538-7305.1948.tb01338.x"},
    {"Simpson1960",
     "Simpson (1960), Notes on the measurement of faunal resemblance, American Journal of "
     "Science 258-A"},
    {"Smirnov1948",
     "Smirnov (1948), Table for estimating the goodness of fit of empirical distributions, Annals "
     "of Mathematical Statistics 19, doi:10.1214/aoms/1177730256"},
    {"Sokolova2006",
     "Sokolova, Japkowicz and Szpakowicz (2006), Beyond accuracy, F-score and ROC: a family of "
     "discriminant measures for performance evaluation, AI 2006, doi:10.1007/11941439_114"},
    {"Sokolova2009",
     "Sokolova and Lapalme (2009), A systematic analysis of performance measures for "
     "classification tasks, Information Processing and Management 45, "
     "doi:10.1016/j.ipm.2009.03.002"},
    {"Stoica2024",
     "Stoica and Babu (2024), Pearson-Matthews correlation coefficients for binary and multinary "
     "classification, Signal Processing 222, doi:10.1016/j.sigpro.2024.109511"},
    {"Strehl2002",
     "Strehl and Ghosh (2002), Cluster ensembles: a knowledge reuse framework for combining "
     "multiple partitions, Journal of Machine Learning Research 3"},
    {"Theil1961", "Theil (1961), Economic Forecasts and Policy, 2nd ed., North-Holland"},
    {"Truchon2007",
     "Truchon and Bayly (2007), Evaluating virtual screening methods: good and bad metrics for the "
     "early recognition problem, Journal of Chemical Information and Modeling 47, "
     "doi:10.1021/ci600426e"},
    {"Tschuprow1939",
     "Tschuprow (1939), Principles of the Mathematical Theory of Correlation, Hodge"},
    {"Tversky1977",
     "Tversky (1977), Features of similarity, Psychological Review 84, "
     "doi:10.1037/0033-295X.84.4.327"},
    {"Vapnik1995", "Vapnik (1995), The Nature of Statistical Learning Theory, Springer"},
    {"Vickers2006",
     "Vickers and Elkin (2006), Decision curve analysis: a novel method for evaluating "
     "prediction models, Medical Decision Making 26, doi:10.1177/0272989X06295361"},
    {"Wei2010",
     "Wei, Yuan, Hu and Wang (2010), A novel measure for evaluating classifiers, Expert Systems "
     "with Applications 37, doi:10.1016/j.eswa.2009.11.040"},
    {"Willmott1982",
     "Willmott (1982), Some comments on the evaluation of model performance, Bulletin of the "
     "American Meteorological Society 63, doi:10.1175/1520-0477(1982)063<1309:SCOTEO>2.0.CO;2"},
    {"Yao2003",
     "Yao (2003), Information-theoretic measures for knowledge discovery and data mining, in: "
     "Entropy Measures, Maximum Entropy Principle and Emerging Applications, Springer"},
    {"Youden1950",
     "Youden (1950), Index for rating diagnostic tests, Cancer 3, "
     "doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3"},
    {"Yule1900",
     "Yule (1900), On the association of attributes in statistics, Philosophical Transactions "
     "of the Royal Society A 194, doi:10.1098/rsta.1900.0019"},
};

}  // namespace

std::string_view reference_text(std::string_view key) {
  for (const auto& [known, text] : kReferences) {
    if (known == key) return text;
  }
  return "";
}

}  // namespace confmat::metrics
