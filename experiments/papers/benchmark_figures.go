package papers

// benchmarkFigures returns the figures and tables of Turner and Neal 2017.
func benchmarkFigures() []Figure {
	return []Figure{
		{Paper: "004", Name: "Figure 1",
			Shows: "the six phases of the benchmark as boxes with arrows, from data sets over surrogates of their posteriors to scores of samplers; " +
				"ours is the list of targets, which stands for all that comes before the samplers",
			Command: "samplers corpus small"},
		{Paper: "004", Name: "Figure 2",
			Shows: "box plots of NESS and of efficiency by sampler, over the targets on which RESS is at least 12, and efficiency against what ESS " +
				"promises; ours are the box plots for kernels of finite spaces, and the third panel is Figure 3",
			Command: "samplers rank --corpus standard --budget 10000"},
		{Paper: "004", Name: "Figure 3",
			Shows: "RESS of the mean, the variance and the Kolmogorov-Smirnov distance against ESS, with the diagonal and a dotted region for 95% of " +
				"chains that are as good as their ESS; ours has them in the rows mean, variance and KS, and the Cramer-von Mises distance in one more",
			Command: "samplers calibrate --corpus standard -N 300"},
		{Paper: "004", Name: "Table 1",
			Shows: "the mean NESS and the probability of success of eight samplers, for the mean, the variance and the Kolmogorov-Smirnov distance; " +
				"ours has seven kernels on ten targets, and the Cramer-von Mises distance, with success by KS of each target in the table rows",
			Command: "samplers rank --corpus small"},
		{Paper: "004", Name: "Table 2", Effort: Slow,
			Shows: "how well ESSD is predicted from diagnostics, by a Gaussian process with all features and without one, by a linear regression and " +
				"by a normal law; ours are the chains of a hundred finite targets",
			Command: "samplers meta --label essd"},
	}
}
