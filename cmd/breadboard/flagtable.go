package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
)

// aspect is the heading under which help lists a flag.
type aspect int

const (
	ofOutput aspect = iota
	ofWhat          // what is computed
	ofHow           // how it is computed: accuracy, work, files
	ofMany          // the flags of many commands, which breadboard help output explains
)

// heading is a part of the flags in the help of a command.
type heading struct {
	title string
	of    aspect
}

func headings() []heading {
	return []heading{{"What is computed", ofWhat}, {"How it is computed", ofHow}, {"Output", ofOutput}}
}

// flagRow is what a flag means in each command that has it. Its unit is what its value is, and is
// empty for a switch. A command may add a default and a few words that restrict the meaning.
type flagRow struct {
	aspect      aspect
	unit, means string
}

// flagTable has the flags of all commands. A second meaning has another name.
var flagTable = map[string]flagRow{
	"adaptive": {ofWhat, "X",
		"the particles place each beta so that the conditional ESS is X times their number, as in 0.9"},
	"ancestors":     {ofWhat, "WAY", "ancestor sampling"},
	"base-chain":    {ofWhat, "CHAIN", "chains p_0 over the tokens, as in markov:1:0"},
	"beta":          {ofWhat, "X", "inverse temperatures"},
	"claim":         {ofWhat, "CLAIM", "what is claimed of the estimates"},
	"corpus":        {ofWhat, "CORPUS", "targets in place of --toy: small, standard or FILE.toml"},
	"coupling":      {ofWhat, "COUPLING", "couplings"},
	"data":          {ofWhat, "DATA", "the data"},
	"data-columns":  {ofWhat, "N", "number of columns of the data"},
	"data-rows":     {ofWhat, "N", "number of rows of the data"},
	"datasets":      {ofWhat, "N", "number of data sets"},
	"distributions": {ofWhat, "T", "number of distributions, both ends included"},
	"estimate":      {ofWhat, "WHAT", "what is estimated"},
	"estimator":     {ofWhat, "ESTIMATOR", "estimators"},
	"evidence": {
		ofWhat, "VARIABLE=VALUE+", "what has been observed: VARIABLE=VALUE+VARIABLE=VALUE, or a file"},
	"fault":    {ofWhat, "FAULT", "the faults"},
	"function": {ofWhat, "FUNCTION", "functions of the state"},
	"gold":     {ofWhat, "ALGORITHM", "the gold standard"},
	"hide":     {ofWhat, "VARIABLE+", "variables to sum out: VARIABLE+VARIABLE"},
	"hmm":      {ofWhat, "HMM", "a hidden Markov model"},
	"id":       {ofWhat, "ID", "the claims with these identifiers, such as bread-7"},
	"initial":  {ofWhat, "START", "where the path starts"},
	"k":        {ofWhat, "K", "the first step of the average: a number, best or q99"},
	"kernel":   {ofWhat, "KERNEL", "Markov kernel (breadboard kernel)"},
	"label":    {ofWhat, "LABEL", "the label to predict: exact or essd"},
	"lag":      {ofWhat, "L", "lags between the two chains, in moves"},
	"lambda":   {ofWhat, "X", "weight of a subtrajectory, per step"},
	"law": {ofWhat, "FILE",
		"`FILE` of any other distribution: a header label,probability and a row for each state"},
	"log-z":          {ofWhat, "NATS", "log Z in place of a toy"},
	"log-z-included": {ofWhat, "", "log weights and estimates hold log Z_1: estimates are of log Z_T"},
	"m":              {ofWhat, "m", "last steps of the average"},
	"model":          {ofWhat, "MODEL", "models of data"},
	"objective":      {ofWhat, "OBJECTIVE", "what is minimised"},
	"observations":   {ofWhat, "N", "number of observations to use, from the first"},
	"paper":          {ofWhat, "PAPER", "claims of these papers"},
	"particles":      {ofWhat, "P", "number of particles"},
	"path":           {ofWhat, "PATH", "the path of distributions"},
	"points":         {ofWhat, "FILE", "a `FILE` with points in place of the study's own"},
	"policy": {
		ofWhat, "POLICY", "pairs of policies, as in masked:local:1 (breadboard help reference policies)"},
	"powerful": {
		ofWhat, "", "choose the annealing at which every fault is found with the fewest chains"},
	"proposal":  {ofWhat, "PROPOSAL", "proposals"},
	"reference": {ofWhat, "START", "where reverse chains start"},
	"resample":  {ofWhat, "SCHEME", "resampling schemes"},
	"right":     {ofWhat, "KERNEL", "the right kernel"},
	"sampler":   {ofWhat, "SAMPLER", "the samplers"},
	"samples":   {ofWhat, "N", "number of samples"},
	"sampling":  {ofWhat, "WAY", "the paths of the losses"},
	"scale":     {ofWhat, "WAY", "how to scale the columns first"},
	"scans":     {ofWhat, "N", "number of scans"},
	"quotient": {ofWhat, "CLASSES",
		"solve classes of states that the kernel treats alike: auto, or auto:TOL up to TOL nats"},
	"schedule": {ofWhat, "SCHEDULE", "schedule (breadboard schedule)"},
	"scheme": {
		ofWhat, "SCHEME", "pairs that are offered swaps: deo, even and odd in turn, or seo, by a coin"},
	"set":   {ofWhat, "NAME=VALUES", "replace a list of the grid, as in T=10,100"},
	"start": {ofWhat, "START", "where chains start"},
	"statistic": {
		ofWhat, "STATISTIC", "statistics of the state: z, loglik, logp, or a function such as x0"},
	"target": {ofWhat, "ALGORITHM", "the algorithm to judge"},
	"thin":   {ofWhat, "N", "number of moves for each draw"},
	"threshold": {
		ofWhat, "X", "resample if the ESS is below X times the particles; 1 is always, 0 never"},
	"toy":     {ofWhat, "TARGET", "target, as in easy (breadboard help toys)"},
	"tv":      {ofWhat, "X", "bound of the total variation distance"},
	"twist":   {ofWhat, "TWIST", "twists, as in lookahead:1"},
	"vary":    {ofWhat, "NAME=RANGE", "the parameter and its range, as c=0:2"},
	"verdict": {ofWhat, "VERDICT", "claims with this declared verdict"},
	"warmup":  {ofWhat, "N", "number of moves before the first sample"},
	"work":    {ofWhat, "X", "budgets, in evaluations of log f"},

	"after": {ofHow, "S", "numbers of transitions before reverse chains"},
	"base":  {ofHow, "0|1", "the number of the first state, and of the first coordinate"},
	"certify": {
		ofHow, "", "count correct digits in 256 bits; exit code 1 if there are fewer than 12"},
	"chains": {ofHow, "N", "number of chains or runs"},
	"check":  {ofHow, "", "check the results by another method; exit code 1 if they differ"},
	"column": {ofHow, "NAME=ROLE",
		"give the column NAME the role or name ROLE, as in `NAME=ROLE` run=chain; none omits it"},
	"cut":       {ofHow, "X", "prune branches less probable than this"},
	"draws":     {ofHow, "L", "number of draws among which a value is ranked"},
	"effort":    {ofHow, "EFFORT", "the largest effort of a claim"},
	"estimates": {ofHow, "FILE", "`FILE` of estimates in the column log_z"},
	"exact-starts": {ofHow, "N",
		"number of data sets with a chain of each direction, in place of --chains and --datasets"},
	"extend": {
		ofHow, "", "continue with the results of another specification of the study in the folder"},
	"forward": {ofHow, "FILE", "`FILE` of forward chains"},
	"frequencies": {
		ofHow, "N", "largest number of frequencies of a characteristic function; 0 takes a second or two"},
	"gold-meta": {ofHow, "M", "meta-inference runs of the gold standard, 1 to 1e9"},
	"host":      {ofHow, "ADDRESS", "the address of this machine at which others reach the bench"},
	"largest": {
		ofHow, "NATS", "the largest possible log_z, without which a mean that is too low is not found"},
	"map":     {ofHow, "FILE", "`FILE` of your own names: rows name,state, as in V1,x0 or low,0"},
	"memory":  {ofHow, "BYTES", "memory limit, as in 500MB"},
	"meta":    {ofHow, "M", "meta-inference runs of the algorithm, 1 to 1e9"},
	"method":  {ofHow, "METHOD", "how errors are computed"},
	"mi":      {ofHow, "X", "bound of the mutual information, in nats"},
	"most":    {ofHow, "N", "the largest number"},
	"moves":   {ofHow, "N", "number of moves"},
	"partial": {ofHow, "", "take what there is if cells are missing"},
	"port":    {ofHow, "N", "the port; 0 is any that is free"},
	"reverse": {ofHow, "FILE", "`FILE` of reverse chains"},
	"sbatch": {
		ofHow, "OPTION", "an `OPTION` for sbatch in both jobs, as in --sbatch=--partition=short"},
	"shape": {
		ofHow, "SIDES", "the sides of NumPy's arrays: chains,draws (ArviZ), draws,chains (emcee) or draws"},
	"shard":    {ofHow, "I/N", "the part to solve"},
	"shards":   {ofHow, "N", "tasks of the array"},
	"smallest": {ofHow, "NATS", "the smallest possible log_z, which lower-on-average needs"},
	"splits":   {ofHow, "N", "number of splits of the targets"},
	"starts":   {ofHow, "N", "starts of reverse chains per S; must divide the number of chains"},
	"stdin":    {ofHow, "WHAT", "`WHAT` standard input holds"},
	"strict":   {ofHow, "", "exit with code 1 also"},
	"submit":   {ofHow, "", "hand the scripts to sbatch"},
	"transitions": {
		ofHow, "FILE", "`FILE` of single moves of the kernel, with the columns beta, from and to"},
	"title":               {ofOutput, "TEXT", "the title of the page"},
	"trials":              {ofHow, "N", "number of independent estimates to combine"},
	"until":               {ofHow, "GOAL", "find the smallest size that meets a condition"},
	"without-first-trace": {ofHow, "", "omit the trace of the run that made the output, which is wrong"},

	"above":  {ofOutput, "X", "distances b in nats, for a table of P(log Zhat > log Z + b)"},
	"arrays": {ofOutput, "NAME", "which arrays: standard, all or names"},
	"best":   {ofOutput, "", "add a best state"},
	"check-that": {ofOutput, "CONDITION",
		"exit code 1 unless every row holds these conditions, as in \"J<0.1,B<=2\"; < <= > >= =="},
	"columns": {ofOutput, "COLUMNS",
		"the columns of tables by names or titles, as in toy,T,J; all is every column (default those for " +
			"which there is room)"},
	"digits": {ofOutput, "N", "the significant digits of numbers in table, markdown and latex"},
	"export": {
		ofOutput, "DIR", "write the page to this new folder, for any server of files, and serve nothing"},
	"figures": {ofOutput, "FORMAT", "the formats of figures in --out, as in svg,png"},
	"font-size": {ofOutput, "LENGTH",
		"the size of letters in figures, as in 8pt (default 10pt, in print and mono 8pt)"},
	"format": {ofOutput, "FORMAT", "how results are written"},
	"latex": {ofOutput, "NUMBERS",
		"numbers in --format latex, which it implies: plain, or siunitx with its S columns"},
	"levels": {ofOutput, "N", "number of the largest values of log f that have a row; 0 is all"},
	"name": {ofOutput, "RUN", "what tables and figures in --out are called, as in fig-2: fig-2.csv, " +
		"fig-2-bounds.pdf"},
	"observed": {ofOutput, "", "add the observations of a hidden Markov model"},
	"out":      {ofOutput, "DIR", "where results and figures are written"},
	"pairs":    {ofOutput, "", "add the distribution of each pair of variables that share a factor"},
	"plot": {ofOutput, "PLOT",
		"also draw columns of a table to --out, as in \"x=T, y=J+B, by=toy, panels=kernel, log=xy\""},
	"quantiles": {ofOutput, "X", "probabilities for which quantiles are given, each above 0 and below 1"},
	"save-data": {ofOutput, "DIR", "save the data sets, their parameters and the model in this `DIR`"},
	"stages":    {ofOutput, "STAGE", "at which stages marginals and kernels are given"},
	"style": {ofOutput, "STYLE",
		"figures for screen, print (smaller letters, thinner lines) or mono (greys and dashes)"},
	"table": {ofOutput, "NAME", "print the table of this `NAME` alone; a wrong name lists all"},
	"tails": {ofOutput, "X", "distances b in nats, 0 or more, for which tails are given"},
	"width": {ofOutput, "LENGTH",
		"the width of figures, as in 3.25in, 8.5cm, 85mm or 240pt (default that of each figure)"},
	"write": {
		ofOutput, "OUT", "write the network to `OUT`, in the format of its ending, and compute nothing"},

	"alpha":   {ofMany, "X", "largest probability of a false alarm in the run"},
	"junit":   {ofMany, "FILE", "also write the findings of a check to this `FILE` as JUnit XML"},
	"seed":    {ofMany, "N", "seed of all random numbers, 0 to 2^64-1"},
	"time":    {ofMany, "duration", "the time that may be taken, as in 90s or 2h"},
	"verbose": {ofMany, "", "show all findings of a check, also those that pass"},
	"workers": {ofMany, "N", "number of computations at once; 0 is one for each core"},
}

// aspectOf returns the heading of a flag. If a command adds to the meaning of a flag of many, its
// help explains the flag.
func aspectOf(f *pflag.Flag) aspect {
	row := flagTable[f.Name]
	if row.aspect == ofMany && f.Usage != row.means {
		return ofHow
	}
	return row.aspect
}

// rareFlags are the flags that one user in a hundred sets. The help of a command only names them;
// breadboard help COMMAND --all explains them.
func rareFlags() []string {
	return strings.Fields(`above ancestors base effort exact-starts extend frequencies gold-meta host label lambda
		largest levels log-z-included m map memory method mi observations observed partial points proposal
		quotient sampling save-data sbatch scale scheme shape smallest splits starts stdin thin threshold
		transitions trials tv verdict
		without-first-trace`)
}

// isRare reports whether the help of a command only names a flag.
func isRare(f *pflag.Flag) bool { return slices.Contains(rareFlags(), f.Name) }

// wholeHelp marks a command whose help explains rare flags, too.
const wholeHelp = "whole"

// explain puts what the row of a flag says in front of the restriction of its command.
func explain(f *pflag.Flag) {
	means := flagTable[f.Name].means
	restriction := f.Usage
	if strings.HasPrefix(restriction, means) {
		// it has no row, or is a flag of all commands that has been seen
		return
	}
	if restriction != "" && !strings.ContainsRune(":;,", rune(restriction[0])) {
		means += " "
	}
	f.Usage = means + restriction
}

// inUnits is a flag in help, whose value is called by the unit of its row.
type inUnits struct {
	pflag.Value
	unit string
}

func (v inUnits) Type() string { return v.unit }

// unitOf returns the unit of a flag, with dots where more values may follow: N,... is a list, to
// which the flag adds if it is given again, and FILE... a flag that may be given again.
func unitOf(f *pflag.Flag) string {
	unit, usage := pflag.UnquoteUsage(f)
	if usage == f.Usage {
		unit = flagTable[f.Name].unit
	}
	switch kind := f.Value.Type(); {
	case kind == "stringSlice", strings.HasSuffix(kind, ",..."):
		unit += ",..."
	case addsUp(f):
		unit += "..."
	}
	return unit
}

// flagLines returns the lines of help about those flags of one aspect that are shown.
func flagLines(flags *pflag.FlagSet, of aspect, shown func(*pflag.Flag) bool) string {
	list := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || aspectOf(f) != of || !shown(f) {
			return
		}
		line := *f
		_, line.Usage = pflag.UnquoteUsage(f)
		line.DefValue = strings.Trim(f.DefValue, "[]")
		if f.NoOptDefVal == "" {
			line.Value = inUnits{f.Value, unitOf(f)}
		}
		list.AddFlag(&line)
	})
	return strings.TrimRight(list.FlagUsages(), " \n")
}

// underHeading returns the lines of help about the flags of a command below a heading; empty if
// there are none.
func underHeading(c *cobra.Command, h heading) string {
	lines := flagLines(c.LocalFlags(), h.of, func(f *pflag.Flag) bool { return has(c, wholeHelp) || !isRare(f) })
	if lines == "" {
		return ""
	}
	return "\n" + h.title + ":\n" + lines
}

// furtherFlags names the flags of a command that are the same everywhere.
func furtherFlags(c *cobra.Command) string {
	var names []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if aspectOf(f) != ofMany {
			return
		}
		if s := shortName(f); s != f.Name {
			names = append(names, "-"+s)
		} else {
			names = append(names, "--"+f.Name)
		}
	})
	if c.HasAvailableInheritedFlags() {
		names = append(names, "the flags of all commands")
	}
	if names == nil {
		return ""
	}
	return selector.Listed(names)
}

// rareFlagsOf names the flags of a command that its help does not explain.
func rareFlagsOf(c *cobra.Command) string {
	var names []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if isRare(f) && !has(c, wholeHelp) {
			names = append(names, "--"+shortName(f))
		}
	})
	if names == nil {
		return ""
	}
	return selector.Listed(names)
}
