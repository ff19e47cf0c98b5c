package papers

// reliability returns the claims of Grosse, Ancha and Roy 2016 on J and its bound B.
func reliability() []Claim {
	return []Claim{
		{
			ID: "000-1", Place: "App. B.1.1, text on Fig. 4", Kind: Number, Verdict: AsPrinted,
			Says: "On EASY with T = 100 the output is close to the target.", Printed: "J 0.13",
			Commands: []string{"tightness --toy easy -T 100"},
			Holds:    func(a *Answers) bool { return Rounds(a.Number("J"), "0.13") },
			Why:      "The toy is twice the first 49 normal numbers of NumPy's RandomState(0).",
		},
		{
			ID: "000-7", Place: "Sec. 5.1.1", Kind: Number, Verdict: NotAsPrinted,
			Says: "On HARD with T = 1000, by how much B exceeds J, in percent.", Printed: "26%",
			Commands: []string{"tightness --toy hard -T 1000"},
			Holds:    func(a *Answers) bool { return Rounds(a.Show("B/J - 1", a.Number("B")/a.Number("J")-1), "26%") },
			Why:      "The exact number is 25.47%; 26% is what J and B give once they are rounded to three digits.",
		},
	}
}
