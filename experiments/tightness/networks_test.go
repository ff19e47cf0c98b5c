package tightness_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/tightness"
	"breadboard/grid/longtest"
)

// networkRow is an annealing of a network, with values that a program that shares nothing with this one computed in more digits.
type networkRow struct {
	toy, initial, kernel string
	T, digits            int // digits is how many significant ones the two programs share
	J, B, qp, pq         float64
	logZ, forward        float64
	reverse              float64
}

// networkRows are annealings of the networks in toys/networks/testdata, which stands for FILES.
func networkRows() []networkRow {
	inf := math.Inf(1)
	return []networkRow{
		{"bif:FILES/cancer.bif:evidence=Xray=positive+Dyspnoea=True", "prior", "heatbath-scan", 100, 12, 8.649406672484969504e-06, 0.0024662564643672356401, 4.3236582688109094496e-06, 4.3257484036740600547e-06, -2.716499546497870897, -2.717727113679007418, -2.7152608572146401823},
		{"bif:FILES/cancer.bif:evidence=Xray=positive+Dyspnoea=True", "prior", "flip", 10, 15, 0.012151879928048443391, 0.082946404982753658454, 0.005804826575808742467, 0.0063470533522397009244, -2.716499546497870897, -2.750513826311321191, -2.6675674213285675326},
		{"bif:FILES/survey.bif:evidence=T=train+S=F", "prior", "heatbath-scan", 100, 11, 3.886929551393521605e-08, 0.0006630754306610319587, 1.9435244479867808767e-08, 1.9434051034067407284e-08, -2.1870646684460623888, -2.1873960778753029214, -2.1867330024446418894},
		{"bif:FILES/survey.bif:evidence=T=train", "prior", "metropolis", 100, 13, 0.00023321315218541197152, 0.008155240325660853334, 0.000116442340620166081714, 0.00011677081156524588981, -1.2699087387241067803, -1.2739580338999041826, -1.2658027935742433293},
		{"bif:FILES/earthquake.bif:evidence=JohnCalls=True+MaryCalls=True", "prior", "heatbath-scan", 100, 14, 0.00030043931688579276238, 0.69330819208073328876, 0.00015063892745604526755, 0.00014980038942974749483, -4.5427693637265049126, -4.8685603011647196193, -4.1752521090839863306},
		{"bif:FILES/earthquake.bif:evidence=JohnCalls=True+MaryCalls=True", "uniform", "heatbath", 100, 14, 0.003056988620009921737, 0.18019347370127126659, 0.0015404323458580548987, 0.0015165562741518668383, -6.622210905406340841, -6.7152724416291157987, -6.535078967927844532},
		{"bif:FILES/asia.bif:evidence=xray=yes+dysp=yes", "prior", "heatbath-scan", 100, 15, 2.4279787216443732608, 2.4343044096410965975, 1.0005129312824971405, 1.4274657903618761204, -2.6497326469916581612, -3.655096090094760387, -1.2207916804536637896},
		{"uai:FILES/asia.uai:evidence=auto", "prior", "flip", 100, 15, 2.4287072505530864267, 2.4720435299202045566, 1.0010531715764552285, 1.4276540789766311982, -2.6497326469916581612, -3.6842774850204943642, -1.2122339551002898078},
		{"bif:FILES/asia.bif:evidence=xray=yes+dysp=yes:hide=either", "prior", "heatbath-scan", 100, 14, 0.00010486435197316274896, 0.03658725518234056664, 5.2552561020608583898e-05, 5.2311790952554165062e-05, -2.6497326469916581612, -2.668017291663926648, -2.6314300364815860814},
		{"bif:FILES/asia.bif:evidence=either=yes+asia=yes", "prior", "heatbath-scan", 100, 12, 1.4608945439259057566e-09, inf, 7.30447551879219873e-10, 7.3044699204668588364e-10, -6.885504670047317293, -inf, -4.6051701859880913607},
		{"bif:FILES/quirks.bif:evidence=y.2=1", "prior", "flip", 100, 13, 0.000116953710069092538044, 0.0017257799996291491897, 5.8343884304649705132e-05, 5.8609825764442832912e-05, -0.6539264674066640132, -0.6547813714237306978, -0.6530555914241015486},
		{"uai:FILES/colour5.uai", "uniform", "flip", 100, 12, inf, inf, inf, 0.5111368566774254136, -0.32827546941703440253, -inf, 1.8382389154590290081},
		{"uai:FILES/grid33.uai:evidence=auto", "uniform", "flip", 100, 15, 0.019209370204853372047, 0.49616540783863288615, 0.009825156428227812331, 0.0093842137766255597155, -2.8389531872774203378, -3.0933726629922714299, -2.5972072551536385437},
		{"bif:FILES/signal11.bif:evidence=Akt=HIGH+P38=LOW", "uniform", "flip", 100, 15, 0.28718916378268067658, 1.1424399648734971085, 0.14276641884418334075, 0.14442274493849733581, -12.526444473641613728, -13.083911940932171418, -11.94147197605867431},
	}
}

// TestNetworks: annealings of networks from the prior and from uniform have the reference's J, B, both divergences and all log weights.
func TestNetworks(t *testing.T) {
	longtest.NotShort(t)
	for _, want := range networkRows() {
		s := casetest.Selection([]int{want.T}, strings.Replace(want.toy, "FILES", "../../toys/networks/testdata", 1))
		s.Initial, s.Kernel = want.initial, want.kernel
		large := strings.Contains(want.toy, "signal11") // it has 19,683 states, for which all identities take long
		got := casetest.Rows(t, tightness.Study(), casetest.MustCases(t, s), tightness.Options{Check: !large})[0]
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"J", got.J, want.J}, {"B", got.B, want.B}, {"KL(q|p)", got.KLQP, want.qp}, {"KL(p|q)", got.KLPQ, want.pq}, {"log Z ratio", got.LogZRatio, want.logZ},
			{"the mean log weight forward", got.MeanLogWForward, want.forward}, {"the mean log weight reverse", got.MeanLogWReverse, want.reverse},
		} {
			tolerance := 4 * math.Pow(10, -float64(want.digits))
			if want.J < 1e-8 && strings.HasPrefix(v.name, "KL") {
				tolerance = 2e-9 // the row has a note that rounding has taken digits, and of each divergence it takes more than of their sum
			}
			if v.got != v.want && !(math.Abs(v.got/v.want-1) <= tolerance) {
				t.Errorf("%s from %s, %s: %s is %.17g, and should be %.17g (%.2g)", want.toy, want.initial, want.kernel, v.name, v.got, v.want, v.got/v.want-1)
			}
		}
	}
}
