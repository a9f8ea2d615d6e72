package interchange

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// The roles that a column can have.
const (
	roleState   = "state"
	roleAction  = "action"
	roleNext    = "next"
	roleP       = "p"
	roleCount   = "count"
	roleCost    = "cost" // of a transition or pair; the column's name is the cost's
	roleReward  = "reward"
	roleLower   = "lower"
	roleUpper   = "upper"
	roleKernel  = "kernel"
	roleEpisode = "episode" // of a log, as the next four are
	roleStep    = "step"    // its place in the episode
	roleDone    = "done"    // it led to an end
	roleCut     = "cut"     // the episode was broken off behind it
	roleNumber  = "number"  // a cost or a reward: nothing says which
	roleNone    = "ignore"
	roleLabel   = "value" // wide form: the column of the next state that is its name
)

// roleNames are the words by which columns are known, in lower case without
// accents and marks between words: the only such list, for models, counts and logs.
var roleNames = map[string][]string{
	roleState:   {"state", "s", "from", "source", "src", "idstatefrom", "idstate", "statefrom", "fromstate", "current", "currentstate", "oldstate", "stateid", "observation", "obs", "st", "zustand", "etat", "estado", "stato", "toestand", "stan"},
	roleAction:  {"action", "actions", "a", "act", "idaction", "actionid", "choice", "decision", "control", "alternative", "at", "move", "treatment", "intervention", "therapy", "aktion", "handlung", "entscheidung", "massnahme", "behandlung", "eingriff", "traitement", "accion", "tratamiento", "acao", "decisao", "azione", "trattamento", "actie", "behandeling"},
	roleNext:    {"next", "nextstate", "newstate", "to", "target", "tgt", "dst", "dest", "destination", "idstateto", "stateto", "tostate", "s'", "ns", "successor", "sp", "snext", "sprime", "statenext", "nextobservation", "nextobs", "newobs", "nextobservations", "nextstates", "nach", "ziel", "folgezustand", "nachfolger", "nachfolgezustand", "nachster", "nachsterzustand", "neuerzustand", "suivant", "etatsuivant", "prochainetat", "nouveletat", "siguiente", "estadosiguiente", "siguienteestado", "nuevoestado", "proximoestado", "estadoseguinte", "prossimo", "prossimostato", "statosuccessivo", "nuovostato", "volgende", "volgendetoestand"},
	roleP:       {"p", "prob", "proba", "probability", "pr", "transitionprobability", "weight", "idprobability", "wahrscheinlichkeit", "probabilite", "probabilidad", "probabilidade", "probabilita", "kans"},
	roleCount:   {"n", "count", "counts", "freq", "frequency", "visits", "number", "times", "anzahl", "haufigkeit", "nombre", "effectif", "frecuencia", "conteo", "contagem", "frequenza", "aantal"},
	roleReward:  {"r", "reward", "rewards", "gain", "profit", "return", "payoff", "rew", "utility", "revenue", "income", "belohnung", "gewinn", "ertrag", "erlos", "nutzen", "recompense", "recette", "recompensa", "ganancia", "ricompensa", "guadagno", "beloning", "winst"},
	roleLower:   {"lower", "low", "lo", "min", "plower", "plow", "pmin", "minp", "minprob", "probmin", "plo", "pl", "lb", "lowerbound", "lowerprobability"},
	roleUpper:   {"upper", "high", "hi", "max", "pupper", "phigh", "pmax", "maxp", "maxprob", "probmax", "phi", "pu", "pup", "ub", "upperbound", "upperprobability"},
	roleKernel:  {"kernel", "idoutcome", "outcome", "model", "sample", "scenario", "idkernel"},
	roleCost:    {"c", "cost", "costs", "risk", "price", "energy", "penalty", "loss", "expense", "kosten", "aufwand", "strafe", "verlust", "cout", "couts", "depense", "costo", "costos", "coste", "costes", "custo", "custos", "costi", "kost"},
	roleEpisode: {"episode", "ep", "episodeid", "idepisode", "trajectory", "traj", "trajectoryid", "run", "runid", "rollout", "rolloutid", "id", "patient", "patientid", "subject", "subjectid", "machine", "machineid", "unit", "unitid", "device", "deviceid", "customer", "customerid", "vehicle", "caseid", "case", "asset", "equipment", "maschine", "anlage", "gerat", "fahrzeug", "kunde", "lauf", "versuch", "client", "episodio", "paciente", "maquina", "paziente", "macchina", "aflevering"},
	roleStep:    {"step", "idstep", "t", "time", "timestep", "k", "stage", "period", "round", "visit", "hour", "day", "week", "month", "year", "date", "timestamp", "schritt", "zeitschritt", "zeit", "runde", "stunde", "tag", "woche", "kw", "monat", "jahr", "datum", "pas", "etape", "temps", "visite", "jour", "semaine", "mois", "paso", "tiempo", "visita", "dia", "semana", "mes", "passo", "tempo", "giorno", "settimana", "stap", "tijd"},
	roleDone:    {"done", "dones", "terminated", "termination", "terminations", "terminal", "terminals", "isterminal", "isdone", "end", "ended", "ende", "beendet", "fin", "fini", "termine", "terminado", "finito"},
	roleCut:     {"truncated", "truncations", "truncation", "timeout", "timeouts"},
	roleNone:    {"comment", "note", "notes", "remark", "remarks", "index", "unnamed0", "info"},
}

// logRoles are those that only a log has.
var logRoles = []string{roleEpisode, roleStep, roleDone, roleCut}

// stateLists are names of the states where each of them has its rows.
var stateLists = []string{"observations", "states"}

// measures are columns that are as likely a length or a number of something as
// what is optimised: never the objective unless that is said.
var measures = []string{"duration", "time", "count", "n", "number", "hours", "days", "length", "sojourn", "holding", "t", "visits", "dauer", "zeit", "duree", "duracion", "durata", "duur", "anzahl"}

// maxCosts is how many columns of costs a table may have.
const maxCosts = 100

func wordOf(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.()[]:\t", r) {
			return -1
		}
		return r
	}, folded(name))
}

// folded is a text in lower case without the accents of western Europe.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		for _, letters := range [...]string{"aàáâãäå", "cç", "eèéêë", "iìíîï", "nñ", "oòóôõöø", "uùúûü"} {
			if r >= 0x80 && strings.ContainsRune(letters, r) {
				return rune(letters[0])
			}
		}
		return r
	}, strings.ReplaceAll(strings.ToLower(s), "ß", "ss"))
}

// roleOf is the role that a column's name says, or "".
func roleOf(name string) string {
	if n := strings.ToLower(strings.TrimSpace(name)); n == "s_" || n == "state_" || n == "obs_" || n == "s2" { // s_ is not s
		return roleNext
	}
	w := wordOf(name)
	for role, names := range roleNames {
		if slices.Contains(names, w) {
			return role
		}
	}
	for _, number := range []string{"id", "nr", "no", "number", "nummer"} { // asset_id, Maschinennr
		if stem, ok := strings.CutSuffix(w, number); ok && stem != "" && (slices.Contains(roleNames[roleEpisode], stem) || slices.Contains(roleNames[roleEpisode], strings.TrimSuffix(stem, "n"))) {
			return roleEpisode
		}
	}
	if stem := strings.TrimRight(w, "0123456789"); stem == "cost" || stem == "c" {
		return roleCost
	}
	if stem, _, ok := strings.Cut(name, "("); ok && len(stem) == 1 { // R(s, a)
		if role := roleOf(stem); role == roleReward || role == roleCost || role == roleP {
			return role
		}
	}
	for _, word := range wordsOf(name) { // cost_eur, Profit (k€), averageReward
		for _, role := range []string{roleCost, roleReward} {
			if len(word) > 1 && slices.Contains(roleNames[role], strings.TrimRight(folded(word), "0123456789")) {
				return role
			}
		}
	}
	return ""
}

// rolesOf are the roles that some of the names say.
func rolesOf(names []string) map[string]bool {
	roles := map[string]bool{}
	for _, name := range names {
		roles[roleOf(name)] = true
	}
	return roles
}

// wordsOf are the words of a name, in lower case, cut at marks and at capitals
// behind small letters.
func wordsOf(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// roles says what each column is, by its name or else by its place.
func (t *Table) roles(layout string) []string {
	switch layout {
	case "wide":
		return t.wideRoles()
	case "costs":
		return t.costRoles()
	case "pairs":
		return t.pairRoles()
	}
	if t.Header {
		if out := t.namedRoles(layout == "log"); out != nil {
			return out
		}
	}
	if layout == "log" && !t.Header {
		return t.placedLog()
	}
	return t.placedRoles()
}

// wideRoles are those of one column a next state, after the pair.
func (t *Table) wideRoles() []string {
	out := make([]string, len(t.Columns))
	n := max(1, t.wideFrom())
	for i, c := range t.Columns {
		out[i] = roleLabel
		if role := roleOf(c); i >= n && t.Header && (role == roleCost || role == roleReward) && !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[0] == c }) {
			out[i] = role
		}
	}
	out[0] = roleState
	if n == 2 {
		out[1] = roleAction
	}
	return out
}

// costRoles are those of a sheet of costs: what is no state or action is a cost.
func (t *Table) costRoles() []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if out[i] = roleOf(c); out[i] == "" || out[i] == roleP || out[i] == roleNext {
			out[i] = roleCost
		}
	}
	if !slices.Contains(out, roleState) && len(out) > 0 {
		out[0] = roleState
	}
	return out
}

// named is the role that a column's name says and its cells do not contradict: a step is a number
// or a date, or is written so where no other column is one.
func (t *Table) named(c int) string {
	role := roleOf(t.Columns[c])
	if role != roleStep || t.numeric(c) || !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[c] != "" && !strings.ContainsAny(row[c], "0123456789") }) {
		return role
	}
	return ""
}

// namedRoles are those that the header tells, or what is in the columns; nil when they tell too few. What
// only a log has is no column of a model, whose numbers may be costs.
func (t *Table) namedRoles(log bool) []string {
	once := []string{roleState, roleAction, roleNext, roleP, roleCount, roleKernel, roleLower, roleUpper, roleEpisode, roleStep}
	out := make([]string, len(t.Columns))
	named := 0
	for i, c := range t.Columns {
		out[i] = t.named(i)
		if slices.Contains(logRoles, out[i]) && !log && !(out[i] == roleDone && (t.flags(i) || t.wholes(i))) || out[i] == roleCount && log {
			out[i] = ""
		}
		if slices.Contains(once, out[i]) {
			if slices.Contains(out[:i], out[i]) {
				out[i] = ""
				if slices.Contains([]string{roleState, roleAction, roleNext}, roleOf(c)) {
					out[i] = roleNone
				}
			} else {
				named++
			}
		}
	}
	for i, role := range t.inferred(out) {
		if role != "" && out[i] == "" && !slices.Contains(out, role) && (log || role == roleDone || !slices.Contains(logRoles, role)) {
			out[i] = role
			named++
		}
	}
	if named < 3 && !log {
		return nil
	}
	if !slices.Contains(out, roleState) {
		if i := slices.IndexFunc(t.Columns, func(c string) bool { return slices.Contains(stateLists, wordOf(c)) }); i >= 0 {
			out[i] = roleState
		} else if i := slices.Index(out, ""); i >= 0 && !log {
			out[i] = roleState
		}
	}
	value := log || slices.Contains(out, roleP) || slices.Contains(out, roleCount) || slices.Contains(out, roleLower)
	for i := range out {
		if out[i] != "" {
			continue
		}
		if out[i] = roleNone; t.numeric(i) && roleOf(t.Columns[i]) != roleEpisode { // a number of a machine is none of its costs
			out[i] = roleCost
			if !value && !slices.Contains(logRoles, roleOf(t.Columns[i])) && t.probabilities(i, out) {
				out[i], value = roleP, true
			}
		}
	}
	for i := range out { // what numbers the rows, where something else may be a cost
		if out[i] == roleCost && roleOf(t.Columns[i]) == "" && t.numbers(i) && (slices.Contains(out[:i], roleCost) || slices.Contains(out[i+1:], roleCost) || slices.Contains(out, roleReward)) {
			out[i] = roleNone
		}
	}
	for i := range out { // whole numbers that stand where a probability is wanted
		if !value && out[i] == roleCost && roleOf(t.Columns[i]) == "" && t.valueRole(i) == roleCount {
			out[i], value = roleCount, true
		}
	}
	return out
}

// probabilities says whether the numbers of a column sum to 1, or to 100, over the
// rows of each pair.
func (t *Table) probabilities(c int, role []string) bool {
	s, a := slices.Index(role, roleState), slices.Index(role, roleAction)
	sums, percent := map[[2]string]float64{}, false
	for _, row := range t.Rows {
		key := [2]string{}
		if s >= 0 {
			key[0] = row[s]
		}
		if a >= 0 {
			key[1] = row[a]
		}
		x, ok := t.Number(row[c])
		if !ok && row[c] != "" || x < 0 {
			return false
		}
		percent = percent || x > 1
		sums[key] += x
	}
	whole := 1.0
	if percent {
		whole = 100
	}
	fit := 0
	for _, sum := range sums {
		if math.Abs(sum-whole) < 1e-2*whole {
			fit++
		}
	}
	return 2*fit > len(sums)
}

// pairRoles are those of one row a pair with columns p1..pn, and perhaps r1..rn.
func (t *Table) pairRoles() []string {
	out := make([]string, len(t.Columns))
	state, action := t.pairState(), slices.IndexFunc(t.Columns, func(c string) bool { return roleOf(c) == roleAction })
	if first := slices.IndexFunc(t.Columns, func(c string) bool { kind, _ := numbered(c); return kind == roleP }); action < 0 && first == 2 {
		action = 1 - state
	}
	for i, c := range t.Columns {
		switch kind, _ := t.byNext(c); {
		case kind == roleP:
			out[i] = roleLabel
		case kind != "":
			out[i] = kind
		case i == state:
			out[i] = roleState
		case i == action || action < 0 && !slices.Contains(out, roleAction) && roleOf(c) == roleStep:
			out[i] = roleAction
		case t.numeric(i):
			out[i] = cmp.Or(roleOf(c), roleCost)
		default:
			out[i] = roleNone
		}
	}
	return out
}

// placedRoles are those of the usual order: state, action, next state, a value,
// then costs.
func (t *Table) placedRoles() []string {
	out := make([]string, len(t.Columns))
	order := []string{roleState, roleAction, roleNext}
	if len(out) == 3 {
		order = []string{roleState, roleNext}
	}
	for i := range out {
		switch {
		case i < len(order):
			out[i] = order[i]
		case i == len(order):
			out[i] = t.valueRole(i)
		case t.numeric(i):
			out[i] = roleCost
		default:
			out[i] = roleNone
		}
	}
	return out
}

// placedLog are those of a log without headings: (s, a, r, s', done) or (s, a, s', r, done), told by what is
// in the columns.
func (t *Table) placedLog() []string {
	out := make([]string, len(t.Columns))
	for c := range out {
		switch {
		case c == 0:
			out[c] = roleState
		case c == 1:
			out[c] = roleAction
		case c > 2 && !slices.Contains(out, roleDone) && (t.flags(c) || t.wholes(c)) && c == len(out)-1:
			out[c] = roleDone
		}
	}
	if next := t.follower(0, out); next > 1 {
		out[next] = roleNext
	} else if len(out) == 5 && out[4] == roleDone { // too few rows to tell
		out[3] = roleNext
	}
	for c := range out {
		if out[c] == "" {
			if out[c] = roleNone; t.numeric(c) {
				out[c] = roleCost
			}
		}
	}
	return out
}

// valueRole tells counts from probabilities: whole numbers, some above 1.
func (t *Table) valueRole(c int) string {
	if t.wholeAbove([]int{c}) {
		return roleCount
	}
	return roleP
}

// wholeAbove says whether the numbers of some columns are whole, some of them above 1.
func (t *Table) wholeAbove(columns []int) bool {
	above := false
	return !slices.ContainsFunc(columns, func(c int) bool {
		return !t.all(c, func(cell string) bool {
			x, ok := t.Number(cell)
			above = above || ok && x > 1
			return !strings.Contains(cell, "%") && (!ok || x >= 0 && x == float64(int64(x)))
		})
	}) && above
}
