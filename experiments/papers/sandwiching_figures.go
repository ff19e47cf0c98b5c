package papers

// sandwichingFigures returns the figures and tables of Grosse, Ghahramani and Adams 2015 that can be drawn. Figure 1 is a picture of a
// graphical model, without numbers.
func sandwichingFigures() []Figure {
	return []Figure{
		{
			// One comparison, since the trials of a comparison stand in the folder of its figures.
			Paper: "002", Name: "Figures 2 to 5", Effort: Slow,
			Shows:   "estimates of eleven estimators and their errors against time, of single trials and of 25 together, for the models of clustering, low rank and binary attributes",
			Command: "sandwich compare --model clustering:10:0.5:1,lowrank,binary:10:0.5:0.25:1 --budget 4s --trials 5",
		},
		{Paper: "002", Name: "Table 1", Effort: Slow,
			Shows:   "the scores of three models on data of each of them, and how far they are behind the model that made the data",
			Command: sandwichingTable},
	}
}
