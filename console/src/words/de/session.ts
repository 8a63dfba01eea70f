export const session = {
  title: 'Anmelden',
  product: 'Fairlead entscheidet fair, wer welchen Datensatz bekommt, und zeigt warum.',
  provider: 'Mit dem Firmenkonto anmelden',
  accounts: 'Konto wählen',
  no_provider:
    'Mit einem einmaligen Link anmelden. Ein Admin macht ihn in der Konsole; wer den Dienst betreibt, mit',
  link_valid: 'Ein Link gilt einmal, 15 Minuten lang.',
  enter_title: 'Willkommen',
  enter_text: 'Dieser Link meldet Sie an, einmal.',
  enter: 'Eintreten',
  no_token:
    'In dieser Adresse ist kein Link, oder er wurde benutzt. Öffnen Sie den Link noch einmal, oder bitten Sie um einen neuen.',
  link_refused: 'Der Link wurde benutzt, ist zu alt oder unvollständig. Bitten Sie um einen neuen.',
  refused: 'Die Anmeldung wurde abgelehnt',
  refusals: {
    unknown: 'Kein Mitglied dieser Konsole hat Ihre E-Mail. Bitten Sie um eine Einladung.',
    unverified: 'Die Anmeldung Ihrer Firma bürgt nicht für Ihre E-Mail.',
    other_person: 'Als dieses Mitglied ist schon jemand anderes eingetreten. Fragen Sie einen Admin.',
    archived: 'Ihr Zugang wurde entzogen. Fragen Sie einen Admin.',
    no_role: 'Keine Ihrer Gruppen hat hier noch eine Rolle. Fragen Sie einen Admin.',
    denied: 'Sie haben die Anmeldung nicht zugelassen.',
    failed: 'Die Anmeldung dauerte zu lange oder war nicht vollständig. Versuchen Sie es noch einmal.',
    rate_limited: 'Von hier sind zu viele Anmeldungen gescheitert. Versuchen Sie es in einer Minute wieder.',
    unavailable:
      'Die Anmeldung Ihrer Firma antwortet nicht. Versuchen Sie es noch einmal, oder nehmen Sie einen Einmal-Link.',
    other: 'Versuchen Sie es noch einmal, oder fragen Sie einen Admin. (Code: {{code}})',
  },
  ended_title: 'Ihre Sitzung ist zu Ende',
  ended_text: 'Melden Sie sich noch einmal an: was Sie auf dieser Seite eingegeben haben, bleibt.',
  ended_provider: 'In neuem Fenster anmelden',
  ended_link:
    'Öffnen Sie einen einmaligen Link in einem anderen Tab dieses Browsers. Diese Seite geht dann von selbst weiter.',
  check_again: 'Ich habe mich angemeldet',
  still_out: 'Noch nicht angemeldet',
  close_window: 'Sie sind angemeldet. Sie können dieses Fenster schließen.',
};
