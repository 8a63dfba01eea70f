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
    not_a_member: 'Kein Mitglied dieser Konsole hat Ihre E-Mail. Bitten Sie einen Admin um eine Einladung.',
    email_not_verified: 'Die Anmeldung Ihrer Firma bürgt nicht für Ihre E-Mail.',
    archived: 'Ihr Zugang wurde entzogen. Fragen Sie einen Admin.',
    expired: 'Die Anmeldung hat zu lange gedauert. Versuchen Sie es noch einmal.',
    provider_unavailable:
      'Die Anmeldung Ihrer Firma antwortet nicht. Versuchen Sie es noch einmal, oder mit einem einmaligen Link.',
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
