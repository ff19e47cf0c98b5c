package reproduce

import (
	"math"
	"slices"
)

// reliability returns the claims of Grosse, Ancha and Roy 2016 on J and its bound B.
func reliability() []Claim {
	return slices.Concat(reliabilityToys(), reliabilityBounds(), reliabilityPractice())
}

// Commands that several claims of this paper read.
const (
	reliabilityPrinted  = "tightness -T 100,1000" // the two T of which numbers are printed
	reliabilityFigure3  = "tightness"             // nine T from 10 to 100,000
	reliabilityBeyond   = "tightness --toy easy,barrier -T 1000000"
	reliabilityStages   = "gap --toy easy,hard,barrier -T 1000"
	reliabilityTails    = "weights --toy barrier,ising:3x3:1 -T 10,100 --tails 0,0.5,1,2,3,5"
	reliabilityLaws     = "weights --toy barrier,ising:3x3:1 -T 10,100"
	reliabilityPairs    = "weights --toy barrier -T 100,1000"
	reliabilityStarts   = "subjective --toy barrier,easy,hard -T 100,10000 --reference uniform,target --moves 0"
	reliabilityFitted   = "subjective --toy hyper -T 10 --kernel heatbath-scan --schedule sigmoid:4 --reference fitted:eta=0.25,fitted:eta=4 --moves 0,1,2,10,100,1000,10000"
	reliabilityFullSize = "sandwich represent -T 300,1000 --chains 2 --datasets 4"
	reliabilityCentred  = "sandwich fit --data inputs/ratings.csv --model lowrank:5 --scale centre -T 10,30,100 -S 10,100,1000 --chains 20 --datasets 8"
)

// reliabilityFigures returns the figures of the paper that this program draws.
func reliabilityFigures() []Figure {
	return []Figure{
		{
			Paper: "bread", Name: "Figure 1", Effort: Slow,
			Shows: "quartiles of log weights against T, of chains forward on real data and on data simulated from a fit to them, and of chains in " +
				"reverse after several numbers of moves; here for ratings that were made up, since those of the paper are not at hand",
			Command: "sandwich fit --data inputs/ratings.csv --model lowrank:5 --scale centre -T 10,30,100,300,1000 -S 10,100,1000 --chains 20 --datasets 8",
		},
		{Paper: "bread", Name: "Figure 2", Effort: Slow,
			Shows: "the bound B for a matrix factorisation with and without U, against the number of steps and against time; here with the kernels " +
				"of this program in place of those of Stan and WebPPL",
			Command: "sandwich represent -T 30,100,300,1000 --chains 5 --datasets 4"},
		{Paper: "bread", Name: "Figures 3 and 4",
			Shows: "J and B of the three toys against T from 10 to 100,000, and pictures of the toys: distributions on the way, the target, and the " +
				"law of the sampler's output at T = 100",
			Command: reliabilityFigure3},
		{Paper: "bread", Name: "Figure 6",
			Shows: "log weights of chains in reverse after several numbers of moves from fitted hyperparameters, where the number of moves makes no difference; here the " +
				"gap to chains forward, exactly, for two fits of a clustering of five points",
			Command: reliabilityFitted},
	}
}

// annealingOf is the condition that names one annealing.
func annealingOf(toy, distributions string) []string {
	return []string{"toy=" + toy, "T=" + distributions}
}

// printedMatches counts the nine printed J and B that come out where T = 100 and 1000 are taken for others; an empty name leaves them out.
func printedMatches(p *Part, hundred, thousand string) int {
	matches := 0
	for _, v := range []struct{ column, toy, at, printed string }{
		{"J", "easy", hundred, "0.13"}, {"J", "hard", hundred, "4.73"}, {"J", "barrier", hundred, "1.65"},
		{"J", "easy", thousand, "0.00518"}, {"B", "easy", thousand, "0.0705"},
		{"J", "hard", thousand, "1.840"}, {"B", "hard", thousand, "2.309"},
		{"J", "barrier", thousand, "1.085"}, {"B", "barrier", thousand, "1.184"},
	} {
		if v.at == "" {
			continue
		}
		for _, number := range p.Hidden(v.column, annealingOf(v.toy, v.at)...) {
			if Rounds(number, v.printed) {
				matches++
			}
		}
	}
	return matches
}

// lessEach returns the numbers of a list less those of another.
func lessEach(list, other []float64) []float64 {
	return zip(list, other, func(v, w float64) float64 { return v - w })
}

// sumOf returns the sum of numbers.
func sumOf(list []float64) float64 {
	total := 0.0
	for _, v := range list {
		total += v
	}
	return total
}

// leastOf returns the smallest number, and NaN where there are none.
func leastOf(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return slices.Min(list)
}

// mostOf returns the largest number, and NaN where there are none.
func mostOf(list []float64) float64 { return -leastOf(negative(list)) }

// negative returns numbers with the other sign.
func negative(list []float64) []float64 { return lessEach(make([]float64, len(list)), list) }

// meanAndSD returns the mean of numbers and their standard deviation.
func meanAndSD(list []float64) (mean, sd float64) {
	n := float64(len(list))
	mean = sumOf(list) / n
	squares := 0.0
	for _, v := range list {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n - 1))
}
